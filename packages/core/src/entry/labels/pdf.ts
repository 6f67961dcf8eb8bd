import { PDFDocument, PDFName } from 'pdf-lib';
import { EmbeddedFace } from '../pdf/embed.ts';
import { type Color, PdfPage } from '../pdf/page.ts';
import type { Face } from '../text/coverage.ts';
import { darkRuns, type Label } from './layout.ts';

const BLACK: Color = [0, 0, 0];

/**
 * Returns a label as a PDF page of the same size, with embedded fonts. The page uses the printer's dot grid, so the QR
 * code is sharp if the page is printed at its actual size.
 *
 * @example await labelPdf(await layOutLabel(record, { size: 'carton', dpi: 203 }, fonts)) // bytes that start with %PDF-
 */
export async function labelPdf({ dpi, width, height, qr, texts, title, faces }: Label): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const scale = 72 / dpi;
  const sheet = document.addPage([width * scale, height * scale]);
  const embedded = new Map<Face, EmbeddedFace>();
  const page = new PdfPage(0, face => {
    let font = embedded.get(face);
    if (!font) {
      font = new EmbeddedFace(faces.get(face)!, `F${embedded.size + 1}`, context.nextRef());
      embedded.set(face, font);
    }
    return font;
  });
  if (qr) {
    const rectangles = darkRuns(qr).map(run => `${run.x} ${height - run.y - run.height} ${run.width} ${run.height} re`);
    page.path(rectangles.join(' '), BLACK);
  }
  for (const { line, x, y, size } of texts) page.text(line, x, height - y, size, BLACK);
  // Coordinates in the content are in dots. A scale rounded to a few decimal places would move the
  // modules off the printer's grid.
  const content = `${scale.toFixed(10)} 0 0 ${scale.toFixed(10)} 0 0 cm\n${page.content()}`;
  sheet.node.set(PDFName.of('Contents'), context.register(context.flateStream(content)));
  for (const font of embedded.values()) font.write(context, 'PDF/A-3u');
  const fonts = Object.fromEntries([...embedded.values()].map(font => [font.name, font.ref]));
  sheet.node.set(PDFName.of('Resources'), context.obj({ Font: fonts }));
  document.setTitle(title, { showInWindowTitleBar: true });
  document.setLanguage('en-US');
  document.catalog.set(PDFName.of('ViewerPreferences'), context.obj({ DisplayDocTitle: true, PrintScaling: 'None' }));
  return document.save({ objectsPerTick: Number.POSITIVE_INFINITY, addDefaultPage: false });
}
