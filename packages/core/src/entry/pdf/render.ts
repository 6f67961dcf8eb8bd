import { type AttachmentFile, sha256Of } from '../attachments/attachments.ts';
import type { CertificateRecord } from '../record/certificate.ts';
import type { Fonts } from '../text/fonts.ts';
import type { Conformance } from './conformance.ts';
import type { DocumentContent } from './content.ts';
import { contentOf } from './document.ts';
import { addMetadata } from './metadata.ts';
import { drawOptions, Sheets } from './sheets.ts';
import { trackingLabelOf } from './tracking-label.ts';

/**
 * Renders a certificate as a tagged PDF/A-3u and PDF/UA-1 file. The file contains embedded font subsets and the record
 * as `gcc.json` or `cpc.json`, but no active content. The output, including the paper size, depends only on the record.
 * The same record and package version always produce the same bytes.
 *
 * @param fonts a font set from `openFonts`. You can reuse the same font set for several calls.
 * @param files the files that were passed to `certificate`, in the same order
 * @throws Error if a required font can't be loaded, or RangeError if the files don't match the record.
 * @example const pdf = await render(record, fonts);
 */
export function render(
  record: CertificateRecord,
  fonts: Fonts,
  files: readonly AttachmentFile[] = [],
): Promise<Uint8Array> {
  return renderAs('PDF/A-3u', record, fonts, files);
}

/**
 * Renders a Children's Product Certificate's tracking label sheet as a tagged PDF/A-3u and PDF/UA-1 file. The sheet
 * lists the information that permanent marks on the product and its packaging must contain.
 *
 * @throws RangeError if the record isn't a Children's Product Certificate, or Error if a required font can't be loaded
 * @example const sheet = await renderTrackingLabel(record, fonts);
 */
export function renderTrackingLabel(record: CertificateRecord, fonts: Fonts): Promise<Uint8Array> {
  const { attachments: _, ...label } = record;
  return renderContent(trackingLabelOf(record), 'PDF/A-3u', label, { fonts, files: [] });
}

/**
 * Renders a certificate in the same way as {@link render}, but at the given conformance level, so that validators that
 * support only PDF/A-1b can check the same pages, fonts, and colors.
 */
export async function renderAs(
  conformance: Conformance,
  record: CertificateRecord,
  fonts: Fonts,
  files: readonly AttachmentFile[] = [],
): Promise<Uint8Array> {
  checkFiles(record, files);
  return renderContent(contentOf(record), conformance, record, { fonts, files });
}

/** Throws a RangeError unless the files match the record's attachments in content and order. */
function checkFiles({ attachments = [] }: CertificateRecord, files: readonly AttachmentFile[]): void {
  const match =
    files.length === attachments.length && files.every(({ bytes }, at) => sha256Of(bytes) === attachments[at]!.sha256);
  if (!match) throw new RangeError('the files to attach don’t match the record');
}

async function renderContent(
  content: DocumentContent,
  conformance: Conformance,
  record: CertificateRecord,
  { fonts, files }: { fonts: Fonts; files: readonly AttachmentFile[] },
): Promise<Uint8Array> {
  const sheets = await Sheets.create();
  const root = await sheets.draw(content, drawOptions(content, record, fonts));
  sheets.finish(root, conformance);
  await addMetadata(sheets.document, record, { title: content.title, conformance, files });
  // PDF/A-1 forbids object streams.
  return await sheets.save(conformance !== 'PDF/A-1b');
}
