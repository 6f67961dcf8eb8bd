import { loadFace } from '@compliance/fonts';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import jsQR from 'jsqr';
import { beforeAll, describe, expect, it } from 'vitest';
import { certificate } from '../record/certificate.ts';
import { SAMPLE_REQUEST } from '../request/sample.ts';
import { toyRequest } from '../samples/childrens.ts';
import { requestIn } from '../samples/languages.ts';
import { completeRequest, sampleContext } from '../samples/requests.ts';
import { openFonts } from '../text/fonts.ts';
import { LABEL_RESOLUTIONS, type LabelFormat, layOutLabel } from './layout.ts';
import { labelPdf } from './pdf.ts';
import { labelSvg } from './svg.ts';
import { labelZpl } from './zpl.ts';

// The package's types describe an ES module, but Node loads the package as CommonJS.
const decodeQr = jsQR as unknown as typeof jsQR.default;

const fonts = openFonts(loadFace);
let pdfium: PDFiumLibrary;
beforeAll(async () => {
  pdfium = await PDFiumLibrary.init();
});

const formats = LABEL_RESOLUTIONS.flatMap(dpi => [{ size: 'product', dpi } as const, { size: 'carton', dpi } as const]);
const labelOf = (request: object, format: LabelFormat, context: object = {}) =>
  layOutLabel(certificate(request, { ...sampleContext, ...context }), format, fonts);

/** Decodes a QR code from pixels. */
const decode = (isDark: (x: number, y: number) => boolean, width: number, height: number) => {
  const pixels = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) if (isDark(x, y)) pixels.fill(0, 4 * (y * width + x), 4 * (y * width + x) + 3);
  }
  return decodeQr(pixels, width, height)?.data;
};

describe.each(formats)('a $size label for a printer with $dpi dots per inch', format => {
  it('has a QR code with whole-dot modules and a quiet zone, and keeps the identifier within the label’s edges', async () => {
    const { qr, texts, width, height } = await labelOf(completeRequest, format);
    const size = qr!.modules.length * qr!.module;
    for (const length of [qr!.x, qr!.y, qr!.module]) expect(Number.isInteger(length)).toBe(true);
    expect(qr!.module / format.dpi).toBeGreaterThanOrEqual(0.013);
    expect(Math.min(qr!.x, qr!.y, height - qr!.y - size)).toBeGreaterThanOrEqual(4 * qr!.module - qr!.module);
    expect(texts.map(({ text }) => text).join('')).toContain(sampleContext.id);
    for (const { x, y, line, size: textSize } of texts) {
      expect(x).toBeGreaterThanOrEqual(qr!.x + size + 4 * qr!.module);
      expect(x + line.width).toBeLessThanOrEqual(width);
      expect(y).toBeLessThanOrEqual(height);
      expect(textSize / format.dpi).toBeGreaterThanOrEqual(0.069);
    }
  });

  it('renders to a PDF with a sharp QR code that decodes to the URL', async () => {
    const label = await labelOf(completeRequest, format);
    const document = await pdfium.loadDocument(await labelPdf(label));
    const { data, width, height } = await document.getPage(0).render({ scale: format.dpi / 72, render: 'bitmap' });
    document.destroy();
    expect([width, height]).toEqual([label.width, label.height]);
    const at = (x: number, y: number) => data[4 * (y * width + x)]!;
    expect(decode((x, y) => at(x, y) < 128, width, height)).toBe(sampleContext.verificationUrl);
    const { x: left, y: top, module, modules } = label.qr!;
    const grays = new Set<number>();
    for (let y = top; y < top + modules.length * module; y++) {
      for (let x = left; x < left + modules.length * module; x++) grays.add(at(x, y));
    }
    // The renderer's rounding can change a gray level by one. A module whose width isn't a whole number of dots has
    // gray edges.
    expect([...grays].filter(level => level > 1 && level < 254)).toEqual([]);
  });

  it('uses only whole dots in the SVG and ZPL output, and encodes the URL in the QR code of the ZPL image', async () => {
    const label = await labelOf(completeRequest, format);
    const svg = labelSvg(label);
    expect(svg).toContain(`viewBox="0 0 ${label.width} ${label.height}"`);
    expect(/<path shape-rendering="crispEdges" d="([^"]+)"/.exec(svg)![1]).toMatch(/^(M\d+ \d+h\d+v\d+h-\d+z)+$/);

    const zpl = labelZpl(label);
    const [, size, bytesPerRow, digits] = /\^GFA,\d+,(\d+),(\d+),([\dA-F\s]+)\^FS/.exec(zpl)!;
    const bitmap = Buffer.from(digits!.replace(/\s/g, ''), 'hex');
    expect(bitmap.length).toBe(Number(size));
    const across = label.qr!.modules.length * label.qr!.module;
    const margin = 4 * label.qr!.module;
    const isDark = (x: number, y: number) => {
      if (x < 0 || y < 0 || x >= across || y >= across) return false;
      return (bitmap[y * Number(bytesPerRow) + (x >> 3)]! & (0x80 >> (x & 7))) !== 0;
    };
    const decoded = decode((x, y) => isDark(x - margin, y - margin), across + 2 * margin, across + 2 * margin);
    expect(decoded).toBe(sampleContext.verificationUrl);
  });
});

describe('layOutLabel', () => {
  const carton = { size: 'carton', dpi: 203 } as const;

  it('omits the QR code if the certificate isn’t published', async () => {
    const { qr, texts } = await labelOf(completeRequest, carton, { verificationUrl: null });
    expect(qr).toBeNull();
    expect(texts.map(({ text }) => text).join('')).toContain(sampleContext.id);
  });

  it.each(['draft', 'incomplete', 'superseded', 'voided'] as const)(
    'starts the label with the status if the certificate is %s',
    async status => {
      for (const size of ['product', 'carton'] as const) {
        const { texts } = await layOutLabel(
          certificate(completeRequest, sampleContext),
          { size, dpi: 203 },
          fonts,
          status,
        );
        expect(texts[0]).toMatchObject({ text: status.toUpperCase(), bold: true });
        expect(texts.map(({ text }) => text).join('')).toContain(sampleContext.id);
      }
    },
  );

  it('prints the status of a draft, but not the status of a complete certificate', async () => {
    const [drafted, complete] = [await labelOf(SAMPLE_REQUEST, carton), await labelOf(completeRequest, carton)];
    expect(drafted.texts[0]!.text).toBe('DRAFT');
    expect(complete.texts.map(({ text }) => text)).not.toContain('COMPLETE');
  });

  it.each([
    [
      'a long product name',
      { ...completeRequest, product_info: { ...completeRequest.product_info, name: 'Helmet '.repeat(35).trim() } },
    ],
    ['Arabic text', requestIn('arabic')],
    ['a Children’s Product Certificate', toyRequest],
    ['few fields', SAMPLE_REQUEST],
  ])('fits the identifier on a product label with %s', async (_, request) => {
    for (const dpi of LABEL_RESOLUTIONS) {
      const { texts } = await labelOf(request, { size: 'product', dpi });
      expect(texts.map(({ text }) => text).join('')).toContain(sampleContext.id);
    }
  });

  it('rejects a URL so long that the QR code modules would be too small for phones to read', async () => {
    const verificationUrl = `https://compliance.example/${'a'.repeat(270)}`;
    await expect(labelOf(completeRequest, { size: 'product', dpi: 203 }, { verificationUrl })).rejects.toThrow(
      'larger label',
    );
    expect((await labelOf(completeRequest, carton, { verificationUrl })).qr).not.toBeNull();
  });

  it('escapes markup and printer commands in text', async () => {
    const name = '<b>&"^XZ~JA_41\\';
    const label = await labelOf(
      { ...completeRequest, product_info: { ...completeRequest.product_info, name } },
      carton,
    );
    expect(labelSvg(label)).toContain('&lt;b&gt;&amp;&quot;^XZ');
    const zpl = labelZpl(label);
    expect(zpl.match(/\^XZ|~/g)).toEqual(['^XZ']);
    expect(zpl).toContain('_5EXZ_7EJA_5F41_5C');
  });
});
