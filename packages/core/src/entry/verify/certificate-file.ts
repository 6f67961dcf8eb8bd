import { strFromU8, Unzlib } from 'fflate';
import { type AttachmentFile, MAX_ATTACHED_BYTES, MAX_ATTACHMENTS, sha256Of } from '../attachments/attachments.ts';
import { KINDS } from '../kinds/kinds.ts';
import { type CertificateRecord, readRecord } from '../record/certificate.ts';

/** Maximum size of a decompressed record, in bytes. */
const MOST_RECORD_BYTES = 4_000_000;

/** Maximum number of attachments to examine in a file. */
const MOST_ATTACHMENTS = 64;

/** Maximum number of characters between an attachment's type and its content. */
const MOST_DICTIONARY = 2_000;

/** Facts about a PDF that might be a certificate. Facts that are read from the file's content aren't verified. */
export interface CertificateFile {
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256 hash of the file, as 64 lowercase hex digits. */
  readonly sha256: string;
  /**
   * The certificate's ID, or null if the file has no certificate ID. The ID can be readable even if the record isn't.
   */
  readonly id: string | null;
  /** The record attached to the file, or null if the file has no readable record. */
  readonly record: CertificateRecord | null;
}

/**
 * Reads the ID and record from a certificate PDF that `render` created. The file is untrusted, so it isn't parsed as a
 * PDF, and the size of the decompressed record is limited. If another program re-saved the certificate, the record
 * isn't found.
 *
 * @example const { id, sha256 } = readCertificateFile(pdf);
 */
export function readCertificateFile(pdf: Uint8Array): CertificateFile {
  const text = strFromU8(pdf, true);
  const record = recordIn(pdf, text);
  const [, digits] = /\/ID ?\[ ?<([\da-f]{32})>/.exec(text) ?? [];
  const identifier = digits?.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') ?? null;
  return { size: pdf.length, sha256: sha256Of(pdf), id: record?.id.toLowerCase() ?? identifier, record };
}

/**
 * Returns the files attached to a certificate PDF, in the order listed in its record. The file is untrusted, so only
 * attachments whose hashes are in the record are returned.
 *
 * @param record the record from `readCertificateFile`, for the same bytes
 */
export function attachmentsIn(pdf: Uint8Array, { attachments = [] }: CertificateRecord): AttachmentFile[] {
  if (attachments.length === 0) return [];
  const found = new Map<string, Uint8Array>();
  for (const { dictionary, data } of attachedStreams(pdf, strFromU8(pdf, true))) {
    const [, digits] = /\/Size (\d{1,9})\b/.exec(dictionary) ?? [];
    const size = Number(digits);
    const wanted = attachments.some(each => each.size === size) && size <= MAX_ATTACHED_BYTES;
    const bytes = wanted ? inflate(data, size) : null;
    if (bytes) found.set(sha256Of(bytes), bytes);
  }
  return attachments.flatMap(({ filename, sha256 }) => {
    const bytes = found.get(sha256);
    return bytes ? [{ filename, bytes }] : [];
  });
}

function recordIn(pdf: Uint8Array, text: string): CertificateRecord | null {
  for (const { dictionary, data } of attachedStreams(pdf, text)) {
    const record = dictionary.includes(JSON_TYPE) ? parseRecord(inflate(data, MOST_RECORD_BYTES)) : null;
    if (record) return record;
  }
  return null;
}

/** Yields each attachment's dictionary and compressed content. */
function* attachedStreams(pdf: Uint8Array, text: string): Iterable<{ dictionary: string; data: Uint8Array }> {
  let at = text.indexOf(ATTACHMENT);
  for (let count = 0; at >= 0 && count < MOST_ATTACHMENTS; count++) {
    const dictionary = text.slice(at, at + MOST_DICTIONARY).split('stream\n', 1)[0]!;
    const [, length] = /\/Length (\d{1,9})\b/.exec(dictionary) ?? [];
    if (length !== undefined) {
      const start = at + dictionary.length + 'stream\n'.length;
      yield { dictionary, data: pdf.subarray(start, start + Number(length)) };
    }
    at = text.indexOf(ATTACHMENT, at + 1);
  }
}

const ATTACHMENT = '/Type /EmbeddedFile';
const JSON_TYPE = '/application#2Fjson';

/** Decompresses a stream. Returns null if the stream is damaged or its decompressed size exceeds `most` bytes. */
function inflate(data: Uint8Array, most: number): Uint8Array | null {
  const bytes = new Uint8Array(most);
  let size = 0;
  let fits = true;
  const stream = new Unzlib(part => {
    fits &&= size + part.length <= bytes.length;
    if (fits) bytes.set(part, size);
    size += part.length;
  });
  const step = 512;
  try {
    for (let at = 0; at < data.length && fits; at += step) {
      stream.push(data.slice(at, at + step), at + step >= data.length);
    }
  } catch {
    return null;
  }
  return fits ? bytes.subarray(0, size) : null;
}

/** Returns whether a record's untrusted attachment list has the expected form. */
function hasValidAttachments({ attachments = [] }: Partial<CertificateRecord>): boolean {
  return (
    Array.isArray(attachments) &&
    attachments.length <= MAX_ATTACHMENTS &&
    attachments.every(
      each =>
        typeof each === 'object' &&
        typeof each?.filename === 'string' &&
        typeof each.sha256 === 'string' &&
        Number.isSafeInteger(each.size),
    )
  );
}

/** Parses a record, or returns null if the JSON doesn't look like a record. Checks only a few essential fields. */
function parseRecord(json: Uint8Array | null): CertificateRecord | null {
  if (!json) return null;
  try {
    const record: Partial<CertificateRecord> = readRecord(strFromU8(json));
    const isRecord =
      Object.values(KINDS).some(({ format }) => format === record.format) &&
      typeof record.id === 'string' &&
      /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(record.id) &&
      typeof record.issued_at === 'string' &&
      (record.verification_url === null || typeof record.verification_url === 'string') &&
      typeof record.request?.product_info?.name === 'string' &&
      Array.isArray(record.completeness?.missing) &&
      hasValidAttachments(record);
    return isRecord ? (record as CertificateRecord) : null;
  } catch {
    return null;
  }
}
