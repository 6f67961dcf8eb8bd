/** Maximum size of a document file in bytes. A Federal Register document with all its annexes is smaller than 3 MB. */
export const MAX_FILE = 16 * 1024 * 1024;

/** Maximum size, in bytes, of a Word document's decompressed text. */
export const MAX_XML = 64 * 1024 * 1024;
