import { mirror } from './bidi.ts';
import type { Face } from './coverage.ts';
import { createFont, type Font } from './fontkit.ts';

/** A glyph component from a font, offset by `x` and `y` font units. */
export interface Part {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

/**
 * A glyph in one font and the text it represents. Characters with the same outline, such as a space and a no-break
 * space, have separate glyphs, so that text extracted from a page matches the original. A letter that the font splits,
 * such as an Arabic letter with dots, is one glyph with several components. `advance` is in 1/1000 em.
 */
export interface Glyph {
  readonly parts: readonly Part[];
  readonly text: string;
  readonly advance: number;
}

/** A glyph's offset from its default position in a shaped run, in 1/1000 em. */
interface Offset {
  readonly x: number;
  readonly y: number;
  readonly advance: number;
}

/**
 * A run of glyphs from left to right. `offsets` is null if every glyph is at its default position. The width is in
 * 1/1000 em.
 */
export interface Shaped {
  readonly glyphs: readonly Glyph[];
  readonly offsets: readonly Offset[] | null;
  readonly width: number;
}

/** An opened font. Caches each character's glyph, because fontkit spends most of its time looking up glyphs. */
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

  /**
   * Shapes a piece of text. Uses the font's tables for Arabic, Hebrew, and Thai, and for text with combining marks. In
   * other text, each character maps to one glyph.
   */
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
   * Adds a right-to-left mark before a bracket or punctuation mark at the left edge of a run. Without the right-to-left
   * mark, text extractors would assign the bracket or punctuation mark to the text on its left.
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
 * Groups the components of each letter. Only one component of each letter, the owner, carries the letter's text. The
 * other components precede the owner in right-to-left runs and follow it in left-to-right runs.
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
 * Returns features that disable optional ligatures, because a ligature that skips a mark would be extracted in the
 * wrong order. Each call returns a new object, because fontkit adds the script's features to the object it receives.
 */
const plainLetters = () => ({ liga: false, clig: false });

/**
 * Wraps a font so that each occurrence of a glyph has its own code points. Without the wrapper, fontkit caches each
 * glyph with the code points of its first occurrence. Any other letter with the same glyph would then be extracted as
 * the letter that was cached first.
 */
function shaperOf(font: Font): Font {
  const shaper: Font = Object.create(font);
  shaper.getGlyph = (id, codePoints) => Object.create(font.getGlyph(id), { codePoints: { value: codePoints ?? [] } });
  return shaper;
}

/**
 * A set of opened fonts. Reuse the set, because opening a Chinese font takes longer than drawing a certificate.
 */
export interface Fonts {
  open(face: Face): Promise<OpenFace>;
}

/**
 * Creates a font set that loads each font on first use and then caches it.
 *
 * @param load a function that returns a font as TrueType bytes, such as `loadFace` from `@compliance/fonts`.
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
        // If loading fails, the next call tries to load the font again.
        font.catch(() => opened.delete(face));
      }
      return font;
    },
  };
}
