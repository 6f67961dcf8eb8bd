import { darkRuns, type Label } from './layout.ts';

/**
 * Returns a label as an SVG image whose units are the printer's dots. Every module of the QR code is a whole number of
 * dots wide, so the image is sharp if it's printed at its actual size.
 *
 * @example labelSvg(await layOutLabel(record, { size: 'product', dpi: 300 }, fonts)) // '<svg …'
 */
export function labelSvg({ dpi, width, height, qr, texts, title }: Label): string {
  const inches = (dots: number) => `${Math.round((dots / dpi) * 1e6) / 1e6}in`;
  const squares = qr
    ? darkRuns(qr)
        .map(({ x, y, width: length, height: thickness }) => `M${x} ${y}h${length}v${thickness}h-${length}z`)
        .join('')
    : '';
  const lines = texts.map(
    ({ text, bold, x, y, size, line }) =>
      `<text x="${x}" y="${y}" font-size="${size}"${bold ? ' font-weight="700"' : ''} textLength="${Math.round(line.width)}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${inches(width)}" height="${inches(height)}" viewBox="0 0 ${width} ${height}" role="img" font-family="'Noto Sans', Arial, Helvetica, sans-serif">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...(squares === '' ? [] : [`<path shape-rendering="crispEdges" d="${squares}"/>`]),
    ...lines,
    '</svg>\n',
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, character => ENTITIES[character]!);
}
