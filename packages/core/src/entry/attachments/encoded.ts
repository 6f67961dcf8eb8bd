import * as z from 'zod';
import { bytesOf } from '../request/base64.ts';
import { type Issue, toIssues } from '../request/issues.ts';
import { NOT_IN_LINE, refuse, text } from '../request/text.ts';
import { type AttachmentFile, MAX_ATTACHED_BYTES, MAX_ATTACHMENTS } from './attachments.ts';

const FILENAME = String.raw`^[^${NOT_IN_LINE}/\\]*\.(?:[Pp][Dd][Ff]|[Pp][Nn][Gg]|[Jj][Pp][Ee]?[Gg])$`;
/** The first bytes of a PDF, PNG, or JPEG file in base64, up to a multiple of four characters. */
const START = '(?:JVBERi[0-3][A-Za-z0-9+/]|iVBORw0KGg[o-r][A-Za-z0-9+/]|/9j/)';
const [filenamePattern, startPattern] = [new RegExp(FILENAME, 'u'), new RegExp(`^${START}`)];

/**
 * Schema for a file in a JSON request, as base64. The schema doesn't check whether the extension matches the content.
 *
 * @example EncodedAttachmentSchema.safeParse({ filename: 'report.pdf', content: 'JVBERi0xLjcK' }).success // true
 */
export const EncodedAttachmentSchema = z.strictObject({
  filename: text(100)
    .refine(
      value => filenamePattern.test(value),
      refuse('INVALID_FORMAT', 'must be a filename ending in .pdf, .png, .jpg, or .jpeg, without a path'),
    )
    .meta({
      description:
        'The filename, without a path. The extension must match the content: `.pdf`, `.png`, `.jpg`, or `.jpeg`.',
      pattern: FILENAME,
      maxLength: 100,
      examples: ['report.pdf'],
    }),
  content: z
    .string()
    .refine(
      value => startPattern.test(value),
      refuse('INVALID_FORMAT', 'must be a Base64-encoded PDF, PNG, or JPEG file'),
    )
    .meta({
      description: 'The Base64-encoded PDF, PNG, or JPEG file.',
      contentEncoding: 'base64',
      pattern: `^${START}(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`,
      examples: ['JVBERi0xLjcKJSVFT0YK'],
    }),
});

/** A file in a JSON request. */
export type EncodedAttachment = z.input<typeof EncodedAttachmentSchema>;

const Attachments = z.array(EncodedAttachmentSchema).max(MAX_ATTACHMENTS);

/** A certificate request and its attached files. */
export interface SeparatedRequest {
  /** The request without `attachments`, not yet validated. */
  readonly request: unknown;
  readonly attachments: readonly AttachmentFile[];
  /** Problems with `attachments`. If this array isn't empty, reject the request. */
  readonly issues: readonly Issue[];
}

/**
 * Decodes the files in a JSON request's `attachments` and separates them from the certificate request. Pass the request
 * to `certificate`, with the files in the context.
 *
 * @param input a value to validate. If it has no `attachments`, it's returned unchanged.
 * @param maxBytes maximum total size of the files, in bytes
 * @example
 * const { request, attachments, issues } = takeAttachments(body);
 * if (issues.length > 0) throw new InvalidRequest(issues);
 * certificate(request, { ...context, attachments });
 */
export function takeAttachments(input: unknown, maxBytes = MAX_ATTACHED_BYTES): SeparatedRequest {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, 'attachments'))
    return { request: input, attachments: [], issues: [] };
  const { attachments, ...request } = input as { attachments?: unknown };
  return { request, ...decode(attachments, maxBytes) };
}

function decode(encoded: unknown, maxBytes: number): Pick<SeparatedRequest, 'attachments' | 'issues'> {
  const rejected = (...issues: Issue[]) => ({ attachments: [], issues });
  const parsed = z.object({ attachments: Attachments }).safeParse({ attachments: encoded });
  if (!parsed.success) return rejected(...toIssues(parsed.error, { attachments: encoded }));
  const { attachments } = parsed.data;
  const total = attachments.reduce((sum, { content }) => sum + decodedSize(content), 0);
  if (total > maxBytes) return rejected(tooLarge(total, maxBytes));
  const files = attachments.map(({ filename, content }) => ({ filename, bytes: bytesOf(content) }));
  const message = 'must be the Base64-encoded file, with padding and without line breaks';
  const issues = files.flatMap(({ bytes }, at): Issue[] =>
    bytes ? [] : [{ path: `attachments.${at}.content`, code: 'INVALID_FORMAT', message }],
  );
  return issues.length > 0 ? rejected(...issues) : { attachments: files as AttachmentFile[], issues };
}

const decodedSize = (base64: string) =>
  Math.floor((base64.length * 3) / 4) - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);

function tooLarge(size: number, maxBytes: number): Issue {
  const megabytes = (bytes: number) => Math.ceil(bytes / 10_000) / 100;
  const message = `must not exceed ${megabytes(maxBytes)} MB in total (current total: ${megabytes(size)} MB); attach fewer or smaller files`;
  return { path: 'attachments', code: 'TOO_LONG', message };
}
