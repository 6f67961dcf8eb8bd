import * as z from 'zod';
import { bytesOf } from '../request/base64.ts';
import { InvalidRequest, type Issue, toIssues } from '../request/issues.ts';
import { NOT_IN_LINE, text } from '../request/text.ts';
import { type AttachmentFile, MAX_ATTACHED_BYTES, MAX_ATTACHMENTS } from './attachments.ts';

/**
 * Schema for a file in a JSON request, as base64. The patterns describe the files that `describeAttachments` accepts.
 *
 * @example EncodedAttachmentSchema.safeParse({ filename: 'report.pdf', content: 'JVBERi0xLjcK' }).success // true
 */
export const EncodedAttachmentSchema = z.strictObject({
  filename: text(100).meta({
    description:
      'The filename without a folder. The extension must match the content: `.pdf`, `.png`, `.jpg`, or `.jpeg`.',
    pattern: String.raw`^[^${NOT_IN_LINE}/\\]*\.(?:[Pp][Dd][Ff]|[Pp][Nn][Gg]|[Jj][Pp][Ee]?[Gg])$`,
    examples: ['report.pdf'],
  }),
  content: z.string().meta({
    description: 'The PDF, PNG, or JPEG file in base64.',
    contentEncoding: 'base64',
    // The first bytes of a file, followed by groups of four characters.
    pattern:
      '^(?:JVBERi[0-3][A-Za-z0-9+/]|iVBORw0KGg[o-r][A-Za-z0-9+/]|/9j/)(?:[A-Za-z0-9+/]{4})*' +
      '(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    examples: ['JVBERi0xLjcKJSVFT0YK'],
  }),
});

/** A file in a JSON request. */
export type EncodedAttachment = z.input<typeof EncodedAttachmentSchema>;

const Attachments = z.array(EncodedAttachmentSchema).max(MAX_ATTACHMENTS);

/**
 * Separates the files in a JSON request's `attachments` from the request for a certificate, and decodes them. Pass the request to
 * `certificate`, and the files in its context.
 *
 * @param input a value to validate. If it has no `attachments`, it's returned unchanged.
 * @param maxBytes maximum total size of the files, in bytes
 * @throws InvalidRequest if `attachments` is malformed, if the files are too large, or if their content isn't base64. Their
 * names and types aren't checked.
 * @example
 * const { request, attachments } = takeAttachments(body);
 * certificate(request, { ...context, attachments });
 */
export function takeAttachments(
  input: unknown,
  maxBytes = MAX_ATTACHED_BYTES,
): { request: unknown; attachments: AttachmentFile[] } {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, 'attachments'))
    return { request: input, attachments: [] };
  const { attachments, ...request } = input as { attachments?: unknown };
  const parsed = z.object({ attachments: Attachments }).safeParse({ attachments });
  if (!parsed.success) throw new InvalidRequest(toIssues(parsed.error, { attachments }));
  const files = parsed.data.attachments;
  const size = files.reduce((sum, { content }) => sum + Math.floor((content.length * 3) / 4), 0);
  // Two characters of padding make each file up to two bytes smaller.
  if (size - 2 * files.length > maxBytes) throw tooLarge(size, maxBytes);
  const issues: Issue[] = [];
  const decoded = files.flatMap(({ filename, content }, at): AttachmentFile[] => {
    const bytes = bytesOf(content);
    if (bytes) return [{ filename, bytes }];
    const message = 'must be the file in base64, with padding and without line breaks or a data: prefix';
    issues.push({ path: `attachments.${at}.content`, code: 'INVALID_FORMAT', message });
    return [];
  });
  if (issues.length > 0) throw new InvalidRequest(issues);
  const total = decoded.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total > maxBytes) throw tooLarge(total, maxBytes);
  return { request, attachments: decoded };
}

function tooLarge(size: number, maxBytes: number): InvalidRequest {
  const megabytes = (bytes: number) => Math.ceil(bytes / 10_000) / 100;
  const message = `must have at most ${megabytes(maxBytes)} MB in total, but has ${megabytes(size)} MB; attach fewer or smaller files`;
  return new InvalidRequest([{ path: 'attachments', code: 'TOO_LONG', message }]);
}
