import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { InvalidRequest, type Issue, type IssueCode } from '../request/issues.ts';
import { text } from '../request/text.ts';

/** A file to attach to a certificate PDF, such as a laboratory's test report. */
export interface AttachmentFile {
  readonly filename: string;
  readonly bytes: Uint8Array;
}

/** Facts about an attached file. The facts are stored in the record, and the file itself is embedded in the PDF. */
export interface Attachment {
  readonly filename: string;
  readonly media_type: 'application/pdf' | 'image/png' | 'image/jpeg';
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256 hash of the file, as 64 lowercase hex digits. */
  readonly sha256: string;
}

/** Maximum number of attached files. */
export const MAX_ATTACHMENTS = 20;

/** Maximum total size of the attached files, in bytes. Many mail servers reject larger messages. */
export const MAX_ATTACHED_BYTES = 20_000_000;

/**
 * The file types that can be attached, each with its extension and its signature (the first bytes of every such file).
 * Viewers can display these types without running any code.
 */
const TYPES: readonly (readonly [type: Attachment['media_type'], extension: RegExp, start: readonly number[]])[] = [
  ['application/pdf', /\.pdf$/i, [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['image/png', /\.png$/i, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', /\.jpe?g$/i, [0xff, 0xd8, 0xff]],
];

const Filename = text(100);

/**
 * Returns facts about the files to attach. The files aren't parsed, because recipients open them separately from the
 * certificate.
 *
 * @throws InvalidRequest if there are too many files, the files are too large, a filename is invalid or repeated, or a
 * file isn't a PDF, PNG, or JPEG file. The issues' paths start with `attachments`.
 * @example describeAttachments([{ filename: 'report.pdf', bytes }])[0]?.media_type // 'application/pdf'
 */
export function describeAttachments(files: readonly AttachmentFile[]): Attachment[] {
  checkAttachments(files.map(({ filename, bytes }) => ({ filename, size: bytes.length })));
  const issues: Issue[] = [];
  const refuse = (path: string, message: string) => issues.push({ path, code: 'INVALID_FORMAT', message });
  const described = files.flatMap(({ filename, bytes }, at): Attachment[] => {
    const { data: name } = Filename.safeParse(filename);
    const [type] = TYPES.find(([, extension, start]) => extension.test(filename) && startsWith(bytes, start)) ?? [];
    if (name === undefined || /[/\\]/.test(name))
      refuse(`attachments.${at}.filename`, 'must be a filename of at most 100 characters');
    else if (!type) refuse(`attachments.${at}`, 'must be a PDF, PNG, or JPEG file with the extension for its type');
    else return [{ filename: name, media_type: type, size: bytes.length, sha256: sha256Of(bytes) }];
    return [];
  });
  if (issues.length > 0) throw new InvalidRequest(issues);
  return described;
}

/**
 * Checks whether files can be attached together, based only on their names and sizes.
 *
 * @param files each file's name, and its size in bytes
 * @throws InvalidRequest if there are too many files, their total size is too large, or two files have the same name
 * @example checkAttachments([{ filename: 'report.pdf', size: 21_000_000 }]); // throws an InvalidRequest
 */
export function checkAttachments(files: readonly Pick<Attachment, 'filename' | 'size'>[]): void {
  const issues: Issue[] = [];
  const refuse = (path: string, code: IssueCode, message: string) => issues.push({ path, code, message });
  if (files.length > MAX_ATTACHMENTS) refuse('attachments', 'TOO_MANY', `must have at most ${MAX_ATTACHMENTS} files`);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > MAX_ATTACHED_BYTES)
    refuse('attachments', 'TOO_LONG', `must not exceed ${MAX_ATTACHED_BYTES / 1_000_000} MB in total`);
  if (issues.length > 0) throw new InvalidRequest(issues);
  const names = files.map(({ filename }) => filename.normalize('NFC').toLowerCase());
  for (const [at, name] of names.entries())
    if (names.indexOf(name) < at)
      refuse(`attachments.${at}.filename`, 'INVALID_FORMAT', 'must be unique among the attached files');
  if (issues.length > 0) throw new InvalidRequest(issues);
}

const startsWith = (bytes: Uint8Array, start: readonly number[]) => start.every((byte, at) => bytes[at] === byte);

/** Returns the SHA-256 hash of the bytes, as 64 lowercase hex digits. */
export function sha256Of(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}
