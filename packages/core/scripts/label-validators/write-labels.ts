// Writes sample labels to a folder as PDF, SVG, and ZPL files, and extracts the image in each ZPL file to a PBM file.
// Usage: node write-labels.ts FOLDER
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  certificate,
  LABEL_RESOLUTIONS,
  labelPdf,
  labelSvg,
  labelZpl,
  layOutLabel,
  openFonts,
} from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { toyRequest } from '../../src/entry/samples/childrens.ts';
import { requestIn } from '../../src/entry/samples/languages.ts';
import { completeRequest, sampleContext } from '../../src/entry/samples/requests.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Specify the folder to write to.');
const requests = {
  complete: completeRequest,
  toy: toyRequest,
  arabic: requestIn('arabic'),
  chinese: requestIn('chinese'),
};
const fonts = openFonts(loadFace);
for (const [name, request] of Object.entries(requests)) {
  for (const size of ['product', 'carton'] as const) {
    for (const dpi of LABEL_RESOLUTIONS) {
      const label = await layOutLabel(certificate(request, sampleContext), { size, dpi }, fonts);
      const zpl = labelZpl(label);
      const file = (extension: string) => join(folder, `${name}-${size}-${dpi}.${extension}`);
      writeFileSync(file('pdf'), await labelPdf(label));
      writeFileSync(file('svg'), labelSvg(label));
      writeFileSync(file('zpl'), zpl);
      writeFileSync(file('pbm'), imageIn(zpl));
    }
  }
}

/** Returns a ZPL file's image in PBM format, with a white border. */
function imageIn(zpl: string): Buffer {
  const [, size, bytesPerRow, digits] = /\^GFA,\d+,(\d+),(\d+),([\dA-F\s]+)\^FS/.exec(zpl)!;
  const bitmap = Buffer.from(digits!.replace(/\s/g, ''), 'hex');
  const border = 8;
  const across = Number(bytesPerRow) + 2 * border;
  const rows = Number(size) / Number(bytesPerRow);
  const image = Buffer.alloc(across * (rows + 16 * border));
  for (let row = 0; row < rows; row++) {
    const from = row * Number(bytesPerRow);
    bitmap.copy(image, (row + 8 * border) * across + border, from, from + Number(bytesPerRow));
  }
  return Buffer.concat([Buffer.from(`P4\n${8 * across} ${rows + 16 * border}\n`), image]);
}
