import type { TrueTypeFont } from '../text/truetype.ts';
import { num } from './page.ts';

/**
 * Returns PDF operators that draw a word, such as DRAFT, across a page. The word is an artifact behind the text. The
 * word is drawn as outlines, so it's visible but can't be copied as text or read by screen readers.
 */
export function statusMark(word: string, font: TrueTypeFont, width: number, height: number): string {
  const glyphs = Array.from(word, letter => font.glyphOf(letter.codePointAt(0)!));
  const length = glyphs.reduce((sum, glyph) => sum + font.advanceOf(glyph), 0);
  const scale = (0.66 * Math.hypot(width, height)) / length;
  const angle = Math.atan2(height, width);
  const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
  const middle = [length / 2, font.capHeight / 2] as const;
  const x = width / 2 - cos * middle[0] + sin * middle[1];
  const y = height / 2 - sin * middle[0] - cos * middle[1];
  let pen = 0;
  const outlines = glyphs.map(glyph => {
    const outline = outlineOf(font, glyph, pen);
    pen += font.advanceOf(glyph);
    return outline;
  });
  const matrix = [cos, sin, -sin, cos, x, y].map(value => String(Math.round(value * 1e5) / 1e5)).join(' ');
  const artifact = '/Artifact <</Type /Pagination /Subtype /Watermark>> BDC';
  return `${artifact}\nq 0.94 0.92 0.92 rg ${matrix} cm ${outlines.join(' ')} f Q\nEMC\n`;
}

/** A point on an outline, or a control point. */
interface OutlinePoint {
  x: number;
  y: number;
  onCurve: boolean;
}

/**
 * Returns a glyph's outline as PDF operators, shifted right by `shift` font units. Converts TrueType's quadratic curves
 * to PDF's cubic curves. The glyph must not be composite.
 */
function outlineOf(font: TrueTypeFont, glyph: number, shift: number): string {
  const operators: string[] = [];
  const write = (operator: string, ...points: { x: number; y: number }[]) =>
    operators.push(`${points.map(({ x, y }) => `${num(x + shift)} ${num(y)}`).join(' ')} ${operator}`);
  for (const contour of contoursOf(font.outlineOf(glyph))) {
    const between = (a: OutlinePoint, b: OutlinePoint) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, onCurve: true });
    // Two consecutive control points imply a point on the curve halfway between them.
    const points = contour.flatMap((point, at) => {
      const next = contour[(at + 1) % contour.length]!;
      return point.onCurve || next.onCurve ? [point] : [point, between(point, next)];
    });
    const first = points.findIndex(({ onCurve }) => onCurve);
    let pen = points[first]!;
    write('m', pen);
    for (let at = 1; at <= points.length; at++) {
      const point = points[(first + at) % points.length]!;
      if (point.onCurve) write('l', point);
      else {
        at++;
        const end = points[(first + at) % points.length]!;
        const toward = (from: OutlinePoint) => ({
          x: from.x + (2 / 3) * (point.x - from.x),
          y: from.y + (2 / 3) * (point.y - from.y),
        });
        write('c', toward(pen), toward(end), end);
      }
      pen = points[(first + at) % points.length]!;
    }
    operators.push('h');
  }
  return operators.join(' ');
}

// Point flags for simple glyphs (OpenType `glyf` table).
const ON_CURVE = 0x01;
const SHORT = { x: 0x02, y: 0x04 };
const REPEAT = 0x08;
const SAME_OR_POSITIVE = { x: 0x10, y: 0x20 };

/** Reads the contours of a simple glyph. */
function contoursOf(outline: Uint8Array): OutlinePoint[][] {
  const data = new DataView(outline.buffer, outline.byteOffset, outline.byteLength);
  const ends = Array.from({ length: data.getInt16(0) }, (_, at) => data.getUint16(10 + 2 * at));
  let at = 10 + 2 * ends.length;
  at += 2 + data.getUint16(at);
  const count = ends.at(-1)! + 1;
  const flags: number[] = [];
  while (flags.length < count) {
    const flag = data.getUint8(at++);
    flags.push(flag);
    if (flag & REPEAT) for (let times = data.getUint8(at++); times > 0; times--) flags.push(flag);
  }
  const coordinates = (axis: 'x' | 'y') => {
    let value = 0;
    return flags.map(flag => {
      if (flag & SHORT[axis]) value += data.getUint8(at++) * (flag & SAME_OR_POSITIVE[axis] ? 1 : -1);
      else if (!(flag & SAME_OR_POSITIVE[axis])) {
        value += data.getInt16(at);
        at += 2;
      }
      return value;
    });
  };
  const xs = coordinates('x');
  const ys = coordinates('y');
  const points = flags.map((flag, at) => ({ x: xs[at]!, y: ys[at]!, onCurve: (flag & ON_CURVE) !== 0 }));
  return ends.map((end, at) => points.slice(at === 0 ? 0 : ends[at - 1]! + 1, end + 1));
}
