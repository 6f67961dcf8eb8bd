// Writes the sample certificates to a folder for validation and visual inspection.
// Usage: node scripts/write-samples.ts FOLDER [PDF/A-1b]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CertificateRecord,
  certificate,
  markEnded,
  openFonts,
  renderMerged,
  renderTrackingLabel,
} from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { renderAs } from '../src/entry/pdf/render.ts';
import { SAMPLE_REQUEST } from '../src/entry/request/sample.ts';
import { bunkBedRequest, pajamaRequest, sampleLabs, toyRequest } from '../src/entry/samples/childrens.ts';
import { requestIn, type Script, scripts, sixtyRules } from '../src/entry/samples/languages.ts';
import { brandedRequest, completeRequest, sampleAttachments, sampleContext } from '../src/entry/samples/requests.ts';
import { familyRequest } from '../src/entry/samples/variants.ts';
import { SECOND_LANGUAGES } from '../src/entry/translations/messages.ts';

const [folder, conformance = 'PDF/A-3u'] = process.argv.slice(2);
if (!folder) throw new Error('Specify the folder to write to.');
if (conformance !== 'PDF/A-3u' && conformance !== 'PDF/A-1b') throw new Error('Specify PDF/A-3u or PDF/A-1b.');
mkdirSync(folder, { recursive: true });

const emoji = {
  ...completeRequest,
  product_info: { ...completeRequest.product_info, name: 'Helmet 🚲 x\u0302 \u{20000}' },
};
const requests: Record<string, object> = {
  bare: SAMPLE_REQUEST,
  branded: brandedRequest,
  complete: completeRequest,
  attached: completeRequest,
  combined: { ...toyRequest, language: 'ja' },
  family: familyRequest,
  'sixty-rules': sixtyRules,
  emoji,
  toy: toyRequest,
  pajama: pajamaRequest,
  'bunk-bed': bunkBedRequest,
  a4: { ...completeRequest, paper: 'a4' },
};
for (const language of SECOND_LANGUAGES) requests[`english-${language}`] = { ...toyRequest, language };
for (const script of Object.keys(scripts) as Script[]) requests[script] = requestIn(script);

const fonts = openFonts(loadFace);
const records: CertificateRecord[] = [];
for (const [name, request] of Object.entries(requests)) {
  const attachments = name === 'attached' || name === 'combined' ? sampleAttachments : [];
  const record = certificate(request, { ...sampleContext, acceptedLabs: sampleLabs, attachments });
  const pdf = await renderAs(conformance, record, fonts, attachments);
  writeFileSync(join(folder, `${name}.pdf`), pdf);
  records.push(record);
  if (conformance === 'PDF/A-1b') continue;
  if (record.childrens)
    writeFileSync(join(folder, `${name}-tracking-label.pdf`), await renderTrackingLabel(record, fonts));
  const end = { at: '2027-03-01T09:00:00Z', verificationUrl: record.verification_url! };
  const superseded = { ...end, status: 'superseded', successor: '8b1d2c3e-6b1d-4e0f-9c77-2a5d1e8b4f61' } as const;
  writeFileSync(join(folder, `${name}-superseded.pdf`), await markEnded(pdf, superseded, fonts));
  writeFileSync(join(folder, `${name}-voided.pdf`), await markEnded(pdf, { ...end, status: 'voided' }, fonts));
}
if (conformance === 'PDF/A-3u') writeFileSync(join(folder, 'merged.pdf'), await renderMerged(records, fonts));
