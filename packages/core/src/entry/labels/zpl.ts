import { strToU8 } from 'fflate';
import type { Label } from './layout.ts';

/**
 * Returns a label in ZPL II, for Zebra and compatible printers with the label's resolution. The QR code is an image
 * with one bit per dot, so every printer prints the same modules. Text is printed in the printer's scalable font 0,
 * which contains Latin letters.
 *
 * @example labelZpl(await layOutLabel(record, { size: 'carton', dpi: 203 }, fonts)) // '^XA…^XZ\n'
 */
export function labelZpl({ width, height, qr, texts }: Label): string {
  return [
    '^XA',
    '^CI28',
    `^PW${width}`,
    `^LL${height}`,
    '^LH0,0',
    ...(qr ? [`^FO${qr.x},${qr.y}${graphicField(qr)}^FS`] : []),
    ...texts.map(
      ({ text, x, y, size }) => `^FO${x},${y - Math.round(0.8 * size)}^A0N,${size},${size}^FH_^FD${fieldData(text)}^FS`,
    ),
    '^XZ\n',
  ].join('\n');
}

/** Returns a QR code as a `^GFA` command, with hex digits for each row of dots. */
function graphicField({ modules, module }: NonNullable<Label['qr']>): string {
  const bytesPerRow = Math.ceil((modules.length * module) / 8);
  const rows = modules.map(line => {
    const row = new Uint8Array(bytesPerRow);
    for (const [at, dark] of line.entries()) {
      if (!dark) continue;
      for (let dot = at * module; dot < (at + 1) * module; dot++) row[dot >> 3]! |= 0x80 >> (dot & 7);
    }
    return Array.from(row, byte => byte.toString(16).padStart(2, '0').toUpperCase())
      .join('')
      .concat('\n')
      .repeat(module);
  });
  const size = bytesPerRow * modules.length * module;
  return `^GFA,${size},${size},${bytesPerRow},\n${rows.join('')}`;
}

/**
 * Encodes text for `^FH_`. Characters with a special meaning in ZPL, and characters outside printable ASCII, are
 * written as UTF-8 bytes in hex.
 */
function fieldData(text: string): string {
  return Array.from(strToU8(text), byte =>
    byte < 0x20 || byte > 0x7e || '^~_\\'.includes(String.fromCharCode(byte))
      ? `_${byte.toString(16).padStart(2, '0').toUpperCase()}`
      : String.fromCharCode(byte),
  ).join('');
}
