// Draws a certificate's text with pdfkit, for comparison with our renderer.
import PDFDocument from 'pdfkit';
import { encodeQR } from 'qr';

/** A line of text with its label and weight. */
export interface Line {
  label: string | null;
  text: string;
  bold: boolean;
}

/** Returns whether the text needs the Chinese font. */
export const isHan = (text: string) => /[\u3000-\u9fff\uff00-\uffef]/.test(text);

/** Draws lines of text and a QR code on US Letter paper with pdfkit. The `sc` font is needed only for Chinese text. */
export function drawWithPdfkit(
  lines: readonly Line[],
  url: string,
  faces: { sans: Uint8Array; bold: Uint8Array; sc?: Uint8Array },
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const document = new PDFDocument({ size: 'LETTER', margin: 40 });
    const chunks: Uint8Array[] = [];
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
    document.registerFont('sans', faces.sans);
    document.registerFont('bold', faces.bold);
    if (faces.sc && lines.some(({ text }) => isHan(text))) document.registerFont('sc', faces.sc);
    for (const { label, text, bold } of lines) {
      if (label !== null)
        document.font('sans').fontSize(7.6).text(label, 46, document.y, { continued: false }).moveUp();
      const x = label === null ? 40 : 120;
      document
        .font(bold ? 'bold' : isHan(text) ? 'sc' : 'sans')
        .fontSize(8.6)
        .text(text, x, document.y);
    }
    const modules = encodeQR(url, 'raw', { ecc: 'medium', border: 1 });
    const module = 80 / (modules.length - 2);
    for (const [y, row] of modules.entries()) {
      for (const [x, dark] of row.entries())
        if (dark) document.rect(490 + (x - 1) * module, 40 + (y - 1) * module, module, module);
    }
    document.fill('black').end();
  });
}
