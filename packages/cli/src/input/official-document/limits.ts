/**
 * Maximum size, in bytes, of a document file. Federal Register documents are smaller than 3 MB, including all annexes.
 */
export const MAX_FILE = 16 * 1024 * 1024;

/** Maximum size, in bytes, of a Word document's decompressed text. */
export const MAX_XML = 64 * 1024 * 1024;
