import { describe, expect, it } from 'vitest';
import type { InvalidRequest } from '../request/issues.ts';
import { describeAttachments, MAX_ATTACHED_BYTES, MAX_ATTACHMENTS } from './attachments.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const pdf = bytesOf('%PDF-1.7 report');
const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Returns the path and code of each issue found in the files. */
function issuesWith(...files: readonly { filename: string; bytes: Uint8Array }[]) {
  try {
    describeAttachments(files);
    return [];
  } catch (error) {
    return (error as InvalidRequest).issues.map(({ path, code }) => `${path} ${code}`);
  }
}

describe('describeAttachments', () => {
  it('returns each file’s name, type, size, and hash, in order', () => {
    const [report, photo] = describeAttachments([
      { filename: '检测报告 (1).pdf', bytes: pdf },
      { filename: 'Sample.PNG', bytes: png },
    ]);
    expect(report).toEqual({
      ...{ filename: '检测报告 (1).pdf', media_type: 'application/pdf', size: 15 },
      sha256: '336276927fc27d28c262f08eae5511abe9336bfb08fdeca8c7845c8a69d2e5e7',
    });
    expect(photo).toMatchObject({ media_type: 'image/png', size: 8 });
  });

  it('rejects files of unsupported types and files whose extension doesn’t match their content', () => {
    expect(issuesWith({ filename: 'report.exe', bytes: bytesOf('MZ') })).toEqual(['attachments.0 INVALID_FORMAT']);
    expect(
      issuesWith(
        { filename: 'report.pdf', bytes: bytesOf('MZ %PDF-') },
        { filename: 'photo.png', bytes: pdf },
        { filename: 'report', bytes: pdf },
        { filename: 'empty.pdf', bytes: new Uint8Array() },
      ),
    ).toEqual([0, 1, 2, 3].map(at => `attachments.${at} INVALID_FORMAT`));
  });

  it.each(['../report.pdf', 'a\\b.pdf', 'a\u0000.pdf', `${'a'.repeat(97)}.pdf`, '\u202efdp.exe.pdf', ''])(
    'rejects the filename %j',
    filename => {
      expect(issuesWith({ filename, bytes: pdf })).toEqual(['attachments.0.filename INVALID_FORMAT']);
    },
  );

  it('rejects two files with the same name, too many files, and files whose total size is too large', () => {
    expect(issuesWith({ filename: 'a.pdf', bytes: pdf }, { filename: 'A.PDF', bytes: pdf })).toEqual([
      'attachments.1.filename INVALID_FORMAT',
    ]);
    const many = Array.from({ length: MAX_ATTACHMENTS + 1 }, (_, at) => ({ filename: `${at}.pdf`, bytes: pdf }));
    expect([issuesWith(...many), issuesWith(...many.slice(1))]).toEqual([['attachments TOO_MANY'], []]);
    const half = new Uint8Array(MAX_ATTACHED_BYTES / 2 + 1);
    half.set(pdf);
    expect(issuesWith({ filename: 'a.pdf', bytes: half }, { filename: 'b.pdf', bytes: half })).toEqual([
      'attachments TOO_LONG',
    ]);
  });
});
