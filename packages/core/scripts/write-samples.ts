// Writes the sample certificates into a folder, for validators and eyes: node scripts/write-samples.ts FOLDER
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificate, openFonts, render } from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { requestIn, type Script, scripts, sixtyRules } from '../src/entry/samples/languages.ts';
import { bareRequest, completeRequest, sampleContext } from '../src/entry/samples/requests.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder to write into.');
mkdirSync(folder, { recursive: true });

const emoji = {
  ...completeRequest,
  product_info: { ...completeRequest.product_info, name: 'Helmet 🚲 x\u0302 \u{20000}' },
};
const requests: Record<string, object> = {
  bare: bareRequest,
  complete: completeRequest,
  'sixty-rules': sixtyRules,
  emoji,
};
for (const script of Object.keys(scripts) as Script[]) requests[script] = requestIn(script);

const fonts = openFonts(loadFace);
for (const [name, request] of Object.entries(requests)) {
  const record = certificate(request, sampleContext);
  writeFileSync(join(folder, `${name}.pdf`), await render(record, fonts));
}
writeFileSync(
  join(folder, 'a4.pdf'),
  await render(certificate(completeRequest, sampleContext), fonts, { paper: 'a4' }),
);
