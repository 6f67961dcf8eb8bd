import { mirror } from './bidi.ts';
import type { Face } from './coverage.ts';
import { createFont, type Font } from './fontkit.ts';

/** A shape of a face as part of a glyph, moved by `x` and `y` font units. */
export interface Part {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

/**
 * One shape of one face and the text it stands for. Two texts with one shape (a bracket and its mirror image, a space and a
 * no-break space) are two glyphs, so that what is read back from a page is what was written. A letter that the face takes
 * apart (an Arabic letter and its dots) is one glyph of several parts for the same reason. `advance` is in 1/1000 em.
 */
export interface Glyph {
  readonly parts: readonly Part[];
  readonly text: string;
  readonly advance: number;
}

/** Where a glyph of a shaped run stands apart from its place in the line, in 1/1000 em. */
interface Offset {
  readonly x: number;
  readonly y: number;
  readonly advance: number;
}

/** A run of glyphs from left to right. `offsets` is null when every glyph stands on its place. Width in 1/1000 em. */
export interface Shaped {
  readonly glyphs: readonly Glyph[];
  readonly offsets: readonly Offset[] | null;
  readonly width: number;
}

/**
 * An opened face. It remembers the glyph of each character it was asked for, which is where fontkit spends its time; the
 * memory is bounded by the face.
 */
export class OpenFace {
  readonly face: Face;
  readonly font: Font;
  readonly #scale: number;
  readonly #shaper: Font;
  readonly #byCodePoint = new Map<number, Glyph>();
  readonly #byShape = new Map<string, Glyph>();

  constructor(face: Face, bytes: Uint8Array) {
    this.face = face;
    this.font = createFont(bytes);
    this.#scale = 1000 / this.font.unitsPerEm;
    this.#shaper = shaperOf(this.font);
  }

  /** Shapes a piece of text. Marks, Arabic, Hebrew and Thai go through the font's own tables; the rest maps one to one. */
  shape(text: string, rightToLeft: boolean): Shaped {
    if (rightToLeft || this.face === 'thai' || this.face === 'arabic' || /\p{M}/u.test(text)) {
      return this.#layout(text, rightToLeft);
    }
    const glyphs: Glyph[] = [];
    let width = 0;
    for (const character of text) {
      const glyph = this.#glyphOf(character.codePointAt(0)!, character);
      glyphs.push(glyph);
      width += glyph.advance;
    }
    return { glyphs, offsets: null, width };
  }

  /**
   * The same run, with a right-to-left mark before a bracket or point that stands at its left edge. Programs that read a page
   * back meet that edge first, and without the mark they count such a character to the text on the left of it.
   */
  anchored(shaped: Shaped): Shaped {
    const [first, ...rest] = shaped.glyphs;
    if (!first || !/^[\p{P}\p{S}]/u.test(first.text)) return shaped;
    return { ...shaped, glyphs: [this.#intern(first.parts, `\u200f${first.text}`, first.advance), ...rest] };
  }

  #glyphOf(codePoint: number, text: string): Glyph {
    let glyph = this.#byCodePoint.get(codePoint);
    if (!glyph) {
      const { id, advanceWidth } = this.font.glyphForCodePoint(codePoint);
      glyph = this.#intern([{ id, x: 0, y: 0 }], text, advanceWidth * this.#scale);
      this.#byCodePoint.set(codePoint, glyph);
    }
    return glyph;
  }

  #intern(parts: readonly Part[], text: string, advance: number): Glyph {
    const key = `${parts.map(({ id, x, y }) => `${id} ${x} ${y}`).join()} ${text}`;
    let glyph = this.#byShape.get(key);
    if (!glyph) {
      glyph = { parts, text, advance };
      this.#byShape.set(key, glyph);
    }
    return glyph;
  }

  #layout(text: string, rightToLeft: boolean): Shaped {
    const direction = rightToLeft ? 'rtl' : 'ltr';
    const drawn = rightToLeft ? mirror(text) : text;
    const run = this.#shaper.layout(drawn, plainLetters(), undefined, undefined, direction);
    const glyphs: Glyph[] = [];
    const offsets: Offset[] = [];
    let width = 0;
    for (const { from, to, owner } of lettersOf(run.glyphs, rightToLeft)) {
      const parts: Part[] = [];
      let advance = 0;
      for (let at = from; at < to; at++) {
        const { xOffset, yOffset, xAdvance } = run.positions[at]!;
        parts.push({ id: run.glyphs[at]!.id, x: Math.round(advance + xOffset), y: Math.round(yOffset) });
        advance += xAdvance;
      }
      const read = String.fromCodePoint(...run.glyphs[owner]!.codePoints) || '\u200b';
      const text = rightToLeft ? mirror(read) : read;
      const whole = parts.length > 1;
      const { x, y } = whole ? { x: 0, y: 0 } : parts[0]!;
      const own = (whole ? advance : run.glyphs[from]!.advanceWidth) * this.#scale;
      glyphs.push(this.#intern(whole ? parts : [{ id: parts[0]!.id, x: 0, y: 0 }], text, own));
      offsets.push({ x: x * this.#scale, y: y * this.#scale, advance: advance * this.#scale });
      width += advance * this.#scale;
    }
    return { glyphs, offsets, width };
  }
}

/**
 * Groups the shapes of each letter. Only one of them has its text, the owner: from right to left the others stand before
 * it, from left to right after it.
 */
function* lettersOf(
  shapes: readonly { codePoints: readonly number[] }[],
  rightToLeft: boolean,
): Iterable<{ from: number; to: number; owner: number }> {
  const isPart = (at: number) => at < shapes.length && shapes[at]!.codePoints.length === 0;
  for (let from = 0; from < shapes.length; ) {
    let owner = from;
    if (rightToLeft) while (isPart(owner)) owner++;
    owner = Math.min(owner, shapes.length - 1);
    let to = owner + 1;
    if (!rightToLeft) while (isPart(to)) to++;
    yield { from, to, owner };
    from = to;
  }
}

/**
 * Without optional ligatures: one that skips a mark would be read back in another order than it was written. Each run gets its
 * own, since fontkit writes into it what the script of the run asked for.
 */
const plainLetters = () => ({ liga: false, clig: false });

/**
 * fontkit keeps one object per shape, with the code points of its first use: the next letter drawn with that shape would be
 * read back as the first one. This view of a font gives every use its own code points.
 */
function shaperOf(font: Font): Font {
  const shaper: Font = Object.create(font);
  shaper.getGlyph = (id, codePoints) => Object.create(font.getGlyph(id), { codePoints: { value: codePoints ?? [] } });
  return shaper;
}

/**
 * The faces that were opened so far. Make one and keep it: opening a Chinese face takes longer than drawing a certificate.
 */
export interface Fonts {
  open(face: Face): Promise<OpenFace>;
}

/**
 * Fonts that are read by `load` when a text first needs them, and then kept.
 *
 * @param load gives the bytes of a face as a TrueType font; `loadFace` of `@compliance/fonts` does.
 * @example const fonts = openFonts(loadFace);
 */
export function openFonts(load: (face: Face) => Promise<Uint8Array>): Fonts {
  const opened = new Map<Face, Promise<OpenFace>>();
  return {
    open(face) {
      let font = opened.get(face);
      if (!font) {
        font = load(face).then(bytes => new OpenFace(face, bytes));
        opened.set(face, font);
        // A failed read is tried again the next time.
        font.catch(() => opened.delete(face));
      }
      return font;
    },
  };
}
