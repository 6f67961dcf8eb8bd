import { describe, expect, it } from 'vitest';
import { describeAttachments } from './attachments.ts';
import { EncodedAttachmentSchema, takeAttachments } from './encoded.ts';

const encoded = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const report = { filename: 'report.pdf', content: encoded('%PDF-1.7 report') };

/** Returns the path, code, and message of each issue with the attachments. */
const issuesWith = (attachments: unknown, maxBytes?: number) =>
  takeAttachments({ attachments }, maxBytes).issues.map(({ path, code, message }) => `${path} ${code} ${message}`);

describe('takeAttachments', () => {
  it('decodes the files in `attachments` and returns the other fields separately', () => {
    const photo = { filename: 'photo.jpg', content: encoded('\u00ff\u00d8\u00ff\u00e0\u0000\u00fb') };
    const { request, attachments } = takeAttachments({ paper: 'a4', attachments: [report, photo] });
    expect(request).toEqual({ paper: 'a4' });
    expect(attachments.map(({ bytes }) => Buffer.from(bytes).toString('base64'))).toEqual([
      report.content,
      photo.content,
    ]);
  });

  it('returns a value without attachments unchanged', () => {
    for (const input of [null, 'attachments', [], { paper: 'a4' }, Object.create({ attachments: [report] })])
      expect(takeAttachments(input)).toEqual({ request: input, attachments: [], issues: [] });
  });

  it('rejects malformed attachments and reports the path of each problem', () => {
    expect(issuesWith(null)).toEqual(['attachments INVALID_TYPE must be an array']);
    expect(issuesWith([{ ...report, url: 'https://lab.example/report.pdf' }, { filename: 'a.pdf' }])).toEqual([
      'attachments.0.url UNKNOWN_FIELD is not a known field',
      'attachments.1.content REQUIRED is required',
    ]);
    expect(issuesWith([{ filename: '../report.exe', content: encoded('MZ executable') }])).toEqual([
      'attachments.0.filename INVALID_FORMAT must be a filename ending in .pdf, .png, .jpg, or .jpeg, without a path',
      'attachments.0.content INVALID_FORMAT must be a Base64-encoded PDF, PNG, or JPEG file',
    ]);
    expect(issuesWith(Array.from({ length: 21 }, () => report))).toEqual([
      'attachments TOO_MANY must have at most 20 entries',
    ]);
  });

  it.each([
    'JVBERi0',
    'JVBERi0x\n',
    'JVBERi0xJVBER=0=',
    'JVBERi0xLjcK====',
    'JVBERi0xAAA_',
    'JVBERi0xAAAé',
    'JVBERi0xAA A',
  ])('rejects the content %j, which isn’t base64', content => {
    expect(issuesWith([report, { ...report, content }])).toEqual([
      expect.stringMatching(/^attachments\.1\.content INVALID_FORMAT must be .*Base64/),
    ]);
  });

  it('rejects files over the size limit before decoding them, and accepts files of exactly that size', () => {
    const message =
      'attachments TOO_LONG must not exceed 0.01 MB in total (current total: 0.02 MB); attach fewer or smaller files';
    const of = (size: number) => ({ filename: 'a.pdf', content: Buffer.alloc(size, '%PDF-').toString('base64') });
    expect(issuesWith([of(5_000), of(5_000)], 10_000)).toEqual([]);
    expect(issuesWith([of(5_000), of(5_001)], 10_000)).toEqual([message]);
    expect(issuesWith([{ ...report, content: `JVBERi0x${'?'.repeat(15_000)}` }], 10_000)).toEqual([message]);
  });
});

describe('the schema for attachments', () => {
  const patternOf = (field: 'filename' | 'content') =>
    new RegExp(EncodedAttachmentSchema.shape[field].meta()!.pattern as string, 'u');

  it('accepts a filename if, and only if, a file with that name can be attached', () => {
    const bytes = Buffer.from('%PDF-');
    for (const filename of [
      'report.pdf',
      '检测报告 (1).PDF',
      '.pdf',
      '../a.pdf',
      'a\\b.pdf',
      'a\u202e.pdf',
      'a.pdf.exe',
      'a',
    ]) {
      const isAccepted = (() => {
        try {
          return describeAttachments([{ filename, bytes }]).length === 1;
        } catch {
          return false;
        }
      })();
      expect([filename, patternOf('filename').test(filename)]).toEqual([filename, isAccepted]);
    }
  });

  it('allows only content that starts like a PDF, PNG, or JPEG file', () => {
    for (const start of ['%PDF-1', '\u0089PNG\r\n\u001a\n\u0000', '\u00ff\u00d8\u00ff', '\u00ff\u00d8\u00ff\u00e1x'])
      expect(encoded(start)).toMatch(patternOf('content'));
    for (const start of ['PK\u0003\u0004', '%pdf-1', '\u00ff\u00d8', 'MZ'])
      expect(encoded(start)).not.toMatch(patternOf('content'));
  });
});
