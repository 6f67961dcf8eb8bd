import type { Font } from '../text/fontkit.ts';
import { num } from './page.ts';

/**
 * Returns PDF operators that draw the word DRAFT across a page as an artifact behind the text. The word is drawn as
 * outlines, so it's visible but can't be copied as text or read by screen readers.
 */
export function draftMark(font: Font, width: number, height: number): string {
  const { glyphs, positions } = font.layout('DRAFT');
  const length = positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
  const scale = (0.66 * Math.hypot(width, height)) / length;
  const angle = Math.atan2(height, width);
  const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
  const middle = [length / 2, font.capHeight / 2] as const;
  const x = width / 2 - cos * middle[0] + sin * middle[1];
  const y = height / 2 - sin * middle[0] - cos * middle[1];
  let pen = 0;
  const outlines = glyphs.map((glyph, at) => {
    const outline = outlineOf(glyph.path.commands, pen);
    pen += positions[at]!.xAdvance;
    return outline;
  });
  const matrix = [cos, sin, -sin, cos, x, y].map(value => String(Math.round(value * 1e5) / 1e5)).join(' ');
  const artifact = '/Artifact <</Type /Pagination /Subtype /Watermark>> BDC';
  return `${artifact}\nq 0.94 0.92 0.92 rg ${matrix} cm ${outlines.join(' ')} f Q\nEMC\n`;
}

/**
 * Returns a glyph's outline as PDF operators, shifted right by `shift` font units. Converts TrueType's quadratic curves
 * to PDF's cubic curves.
 */
export function outlineOf(commands: readonly { command: string; args: number[] }[], shift: number): string {
  let from: readonly [number, number] = [0, 0];
  return commands
    .map(({ command, args }) => {
      const points: [number, number][] = [];
      for (let at = 0; at < args.length; at += 2) points.push([args[at]! + shift, args[at + 1]!]);
      const start = from;
      from = points.at(-1) ?? from;
      const write = (list: readonly (readonly [number, number])[]) => list.flat().map(num).join(' ');
      if (command === 'moveTo') return `${write(points)} m`;
      if (command === 'lineTo') return `${write(points)} l`;
      if (command === 'closePath') return 'h';
      if (command === 'bezierCurveTo') return `${write(points)} c`;
      const [control, to] = points as [[number, number], [number, number]];
      const toward = ([px, py]: readonly [number, number]) =>
        [px + (2 / 3) * (control[0] - px), py + (2 / 3) * (control[1] - py)] as const;
      return `${write([toward(start), toward(to), to])} c`;
    })
    .join(' ');
}
