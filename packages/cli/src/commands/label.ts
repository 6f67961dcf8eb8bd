import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import {
  LABEL_RESOLUTIONS,
  LABEL_SIZES,
  LABEL_WRITERS,
  type LabelFormat,
  layOutLabel,
  openFonts,
  readCertificateFile,
} from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { Command, Option } from 'commander';
import { readPdf } from '../certificates/read-pdf.ts';
import { CliError, fileError } from '../cli-error.ts';
import { print } from '../output/print.ts';

/** The `compliance label` command, which creates a label for the certificate in a PDF. */
export default new Command('label')
  .description("Create a thermal-printer label with a certificate's identifier and QR code.")
  .argument('<file>', 'certificate PDF')
  .requiredOption('-o, --out <file>', 'file to write, ending in .svg, .zpl, or .pdf')
  .addOption(
    new Option('--size <size>', 'label size: product (2 × 1 in) or carton (4 × 3 in)')
      .choices(Object.keys(LABEL_SIZES))
      .default('carton'),
  )
  .addOption(
    new Option('--dpi <dpi>', 'printer resolution in dots per inch')
      .choices(LABEL_RESOLUTIONS.map(String))
      .default('203'),
  )
  .action(async (file: string, { out, size, dpi }: { out: string; size: LabelFormat['size']; dpi: string }) => {
    const extension = extname(out).toLowerCase();
    const [, write] = Object.entries(LABEL_WRITERS).find(([format]) => extension === `.${format}`) ?? [];
    if (!write) throw new CliError(`--out ${out}: enter a filename that ends in .svg, .zpl, or .pdf.`, 2);
    const { record } = readCertificateFile(await readPdf(file));
    if (!record) throw new CliError(`${file} isn't a certificate, or its data can't be read.`);
    const format = { size, dpi: Number(dpi) as LabelFormat['dpi'] };
    const label = await layOutLabel(record, format, openFonts(loadFace)).catch(error => {
      if (!(error instanceof RangeError)) throw error;
      throw new CliError(`Can't create the label: ${error.message}.`);
    });
    await writeFile(out, await write(label)).catch(error => {
      throw fileError(`Can't write ${out}`, error);
    });
    const qr = label.qr
      ? [`The QR code's modules are ${label.qr.module} dots wide. Print the label at actual size, without scaling.`]
      : ['The label has no QR code, because the certificate isn’t published.'];
    print([`Wrote ${out}.`, ...qr].join('\n'));
  });
