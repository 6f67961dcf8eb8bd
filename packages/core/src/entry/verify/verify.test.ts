import { loadFace } from '@compliance/fonts';
import { zlibSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256Of } from '../attachments/attachments.ts';
import { markEnded } from '../pdf/mark.ts';
import { render } from '../pdf/render.ts';
import { certificate } from '../record/certificate.ts';
import { sampleLabs, toyRequest } from '../samples/childrens.ts';
import { brandedRequest, completeRequest, sampleAttachments, sampleContext } from '../samples/requests.ts';
import { openFonts } from '../text/fonts.ts';
import { attachmentsIn, readCertificateFile } from './certificate-file.ts';
import { compareWithDrawing } from './compare-with-drawing.ts';
import { compareWithIssued, parseIssuedCertificate } from './compare-with-issued.ts';

const fonts = openFonts(loadFace);
const record = certificate(completeRequest, sampleContext);
const end = { status: 'voided', at: '2027-03-01T09:00:00Z', verificationUrl: sampleContext.verificationUrl } as const;
let pdf: Uint8Array;
let marked: Uint8Array;
beforeAll(async () => {
  pdf = await render(record, fonts);
  marked = await markEnded(pdf, end, fonts);
});

/** Returns a copy with one changed bit. */
function changedAt(bytes: Uint8Array, at: number): Uint8Array {
  const copy = bytes.slice();
  copy[at]! ^= 1;
  return copy;
}

/** Returns byte offsets in a file's header, content, and attachment, and near the end of the file. */
const places = (bytes: Uint8Array) =>
  [0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999].map(share => Math.floor(share * (bytes.length - 1)));

const compare = (bytes: Uint8Array) => compareWithDrawing(bytes, readCertificateFile(bytes), fonts);
const issued = () =>
  parseIssuedCertificate({
    ...{ gcc_id: record.id, certificate_type: 'GCC', status: 'voided', issued_at: record.issued_at },
    ...{ sha256: sha256Of(pdf), size: pdf.length, pdf_sha256: sha256Of(marked), added_later: true },
    ...{ superseded_by: null, voided_at: end.at, void_reason: 'Wrong laboratory' },
  });

describe('readCertificateFile', () => {
  it('reads the record and the ID from a certificate, with or without a status mark', () => {
    for (const bytes of [pdf, marked]) {
      const file = readCertificateFile(bytes);
      expect(file).toMatchObject({ id: record.id, size: bytes.length, sha256: sha256Of(bytes) });
      expect(file.record).toMatchObject({ rules: record.rules, warnings: record.warnings });
    }
  });

  it('reads the ID if the record is damaged', () => {
    const at =
      Buffer.from(pdf).indexOf('stream\n', Buffer.from(pdf).indexOf('/Type /EmbeddedFile')) + 'stream\n'.length;
    expect(readCertificateFile(changedAt(pdf, at))).toMatchObject({ id: record.id, record: null });
  });

  it.each([
    ['an empty file', new Uint8Array()],
    [
      'a text file',
      new TextEncoder().encode('%PDF-1.7\n/Type /EmbeddedFile /application#2Fjson /Length 5\nstream\nhello'),
    ],
    [
      'a file whose attachment is a decompression bomb',
      Buffer.concat([
        Buffer.from('%PDF-1.7\n/Type /EmbeddedFile /Subtype /application#2Fjson /Length 99999\nstream\n'),
        zlibSync(new Uint8Array(50_000_000)),
      ]),
    ],
    [
      'a file with another attachment',
      Buffer.concat([
        Buffer.from('%PDF-1.7\n/Type /EmbeddedFile /Subtype /application#2Fjson /Length 99\nstream\n'),
        zlibSync(new TextEncoder().encode('{"format":"gcc-1","id":{}}')),
      ]),
    ],
  ])('finds no certificate in %s', (_, bytes) => {
    expect(readCertificateFile(bytes)).toMatchObject({ id: null, record: null });
  });
});

describe('compareWithDrawing', () => {
  it.each([
    ['a general certificate', completeRequest],
    ['a certificate with a logo', brandedRequest],
    ['a Children’s Product Certificate', toyRequest],
  ])('recognizes %s even though the attached record omits the importer number', async (_, request) => {
    const made = certificate(request, { ...sampleContext, acceptedLabs: sampleLabs });
    expect(await compare(await render(made, fonts))).toBe('identical');
  });

  it('detects a changed byte in any part of the file', async () => {
    for (const at of places(pdf)) expect(await compare(changedAt(pdf, at)), `byte ${at}`).not.toBe('identical');
    expect(await compare(pdf.subarray(0, -1))).toBe('different');
  });

  it('recognizes a certificate with attached files and detects a changed byte in any part of it', async () => {
    // The report is itself a certificate with a record, and the photo contains what looks like another record's
    // attachment.
    const fake = '\n<< /Type /EmbeddedFile /Subtype /application#2Fjson /Length 9 >>\nstream\n';
    const noise = Array.from({ length: 3_000 }, (_, at) => sha256Of(Uint8Array.of(at & 255, at >> 8))).join('');
    const attachments = [
      { filename: 'nested.pdf', bytes: pdf },
      {
        filename: 'photo.png',
        bytes: Buffer.concat([sampleAttachments[1]!.bytes, Buffer.from(noise, 'hex'), Buffer.from(fake)]),
      },
    ];
    const made = certificate({ ...completeRequest, certificate_number: 'OUTER' }, { ...sampleContext, attachments });
    const attached = await render(made, fonts, attachments);
    const file = readCertificateFile(attached);
    expect(file.record?.request.certificate_number).toBe('OUTER');
    expect(attachmentsIn(attached, file.record!).map(({ bytes }) => sha256Of(bytes))).toEqual(
      attachments.map(({ bytes }) => sha256Of(bytes)),
    );
    expect(await compare(attached)).toBe('identical');
    for (const at of places(attached)) expect(await compare(changedAt(attached, at)), `byte ${at}`).toBe('different');
  });

  it('doesn’t create a PDF if the record lists files that aren’t attached', async () => {
    const forged = (attachments: unknown) =>
      compareWithDrawing(pdf, { ...readCertificateFile(pdf), record: { ...record, attachments } as never }, fonts);
    const report = { filename: 'a.pdf', media_type: 'application/pdf', size: 9, sha256: '0'.repeat(64) };
    expect(await forged([report])).toBe('different');
    expect(await forged([{ ...report, size: 1e15 }])).toBe('different');
  });

  it('reports content after the certificate', async () => {
    expect(await compare(marked)).toBe('extended');
  });

  it('doesn’t create a PDF from a record whose request isn’t valid', async () => {
    const forged = { ...record, request: { ...record.request, product_info: { name: 'Helmet' } } };
    const file = { ...readCertificateFile(pdf), record: forged as never };
    expect(await compareWithDrawing(pdf, file, fonts)).toBe('not_drawable');
    const broken = { ...readCertificateFile(pdf), record: { ...record, rules: [{}] } as never };
    expect(['not_drawable', 'different']).toContain(await compareWithDrawing(pdf, broken, fonts));
  });
});

describe('compareWithIssued', () => {
  it('recognizes the PDF as issued, with or without the service’s mark', () => {
    expect([compareWithIssued(pdf, issued()), compareWithIssued(marked, issued())]).toEqual([
      'unchanged',
      'unchanged_marked',
    ]);
  });

  it('detects a changed byte in any part of the file and any content that the service didn’t add', () => {
    for (const at of places(pdf)) expect(compareWithIssued(changedAt(pdf, at), issued()), `byte ${at}`).toBe('changed');
    expect(compareWithIssued(changedAt(marked, marked.length - 3), issued())).toBe('extended');
    expect(compareWithIssued(pdf.subarray(0, -1), issued())).toBe('changed');
  });

  it('rejects an invalid response with an error that names the invalid field', () => {
    expect(() => parseIssuedCertificate({ ...issued(), sha256: 'x' })).toThrow(/^sha256: /);
    expect(() => parseIssuedCertificate('<html>')).toThrow(RangeError);
  });
});
