import type { Face } from './coverage.ts';
import { openShaper, type Shape } from './harfbuzz.ts';
import { TrueTypeFont } from './truetype.ts';

/** A glyph component from a font, offset by `x` and `y` font units. */
export interface Part {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

/**
 * A glyph cluster that represents `text` and is drawn as a single unit. A cluster is a letter with its marks, a
 * ligature, or a syllable whose letters the font reorders. The cluster's text is in reading order, so that text
 * extracted from a page matches the original. Characters with the same outline, such as a space and a no-break space,
 * have separate glyphs. `advance` is in 1/1000 em.
 */
export interface Glyph {
  readonly parts: readonly Part[];
  readonly text: string;
  readonly advance: number;
}

/** A run of glyphs from left to right. The width is in 1/1000 em. */
export interface Shaped {
  readonly glyphs: readonly Glyph[];
  readonly width: number;
}

/** Fonts for scripts in which each character has one glyph, unless the text contains combining marks. */
const SIMPLE: ReadonlySet<Face> = new Set(['sans', 'sans-bold', 'sc', 'jp', 'kr']);

/**
 * Matches viramas that join the consonants before and after them. The consonants form one cluster, much as in Unicode
 * rule GB9c. Without such clusters, some PDF readers move the first consonant to another word.
 */
const VIRAMA = /[\u094d\u09cd\u0a4d\u0acd\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2]/;

/** Returns whether a piece of text must be shaped with the font's tables. */
export const needsShaping = (face: Face, text: string, rightToLeft: boolean) =>
  rightToLeft || !SIMPLE.has(face) || /\p{M}/u.test(text);

/** Maximum number of shaped words cached per font. */
const MOST_WORDS = 2_000;

/** An opened font. Caches each character's glyph and each shaped word. */
export class OpenFace {
  readonly face: Face;
  readonly font: TrueTypeFont;
  readonly #bytes: Uint8Array;
  readonly #scale: number;
  readonly #byCodePoint = new Map<number, Glyph>();
  readonly #byShape = new Map<string, Glyph>();
  /** Shaped words. Most of the words on a certificate appear on every certificate. */
  readonly #words = new Map<string, Shaped>();
  #shape: Shape | null = null;

  constructor(face: Face, bytes: Uint8Array) {
    this.face = face;
    this.font = new TrueTypeFont(bytes);
    this.#bytes = bytes;
    this.#scale = 1000 / this.font.unitsPerEm;
  }

  /**
   * Loads the shaping tables. Call this method before {@link shape} if {@link needsShaping} returns true for the text.
   */
  async loadShaper(): Promise<void> {
    this.#shape ??= await openShaper(this.#bytes);
  }

  /** Shapes a piece of text that has one script and one direction. */
  shape(text: string, rightToLeft: boolean): Shaped {
    const key = rightToLeft ? `\u202b${text}` : text;
    let shaped = this.#words.get(key);
    if (!shaped) {
      if (this.#words.size === MOST_WORDS) this.#words.clear();
      shaped = this.#shapeWord(text, rightToLeft);
      this.#words.set(key, shaped);
    }
    return shaped;
  }

  #shapeWord(text: string, rightToLeft: boolean): Shaped {
    const glyphs = needsShaping(this.face, text, rightToLeft)
      ? this.#clusters(text, rightToLeft)
      : Array.from(text, character => this.#glyphOf(character));
    return { glyphs, width: glyphs.reduce((sum, { advance }) => sum + advance, 0) };
  }

  #glyphOf(character: string): Glyph {
    const codePoint = character.codePointAt(0)!;
    let glyph = this.#byCodePoint.get(codePoint);
    if (!glyph) {
      const id = this.font.glyphOf(codePoint);
      glyph = this.#intern([{ id, x: 0, y: 0 }], character, this.font.advanceOf(id) * this.#scale);
      this.#byCodePoint.set(codePoint, glyph);
    }
    return glyph;
  }

  #intern(parts: readonly Part[], text: string, advance: number): Glyph {
    const key = `${parts.map(({ id, x, y }) => `${id} ${x} ${y}`).join()} ${advance} ${text}`;
    let glyph = this.#byShape.get(key);
    if (!glyph) {
      glyph = { parts, text, advance };
      this.#byShape.set(key, glyph);
    }
    return glyph;
  }

  #clusters(text: string, rightToLeft: boolean): Glyph[] {
    if (!this.#shape) throw new Error(`the shaper for font ${this.face} isn't loaded`);
    const shaped = this.#shape(text, rightToLeft);
    const starts = [...new Set(shaped.map(({ cluster }) => cluster))]
      .sort((a, b) => a - b)
      .filter(start => !VIRAMA.test(text[start - 1] ?? ''));
    const endOf = (start: number) => starts.find(next => next > start) ?? text.length;
    const glyphs: Glyph[] = [];
    for (let from = 0; from < shaped.length; ) {
      const start = starts.findLast(start => start <= shaped[from]!.cluster)!;
      const end = endOf(start);
      const parts: Part[] = [];
      let advance = 0;
      let to = from;
      for (; shaped[to] && shaped[to]!.cluster >= start && shaped[to]!.cluster < end; to++) {
        const one = shaped[to]!;
        parts.push({ id: one.glyph, x: Math.round(advance + one.x), y: Math.round(one.y) });
        advance += one.advance;
      }
      glyphs.push(this.#intern(parts, text.slice(start, end), advance * this.#scale));
      from = to;
    }
    return glyphs;
  }
}

/**
 * A set of opened fonts. Reuse the set, because opening a Chinese font takes longer than drawing a certificate.
 */
export interface Fonts {
  open(face: Face): Promise<OpenFace>;
}

/** Functions that load fonts as TrueType bytes, such as `latin` from `@compliance/fonts-latin`. */
export type FontLoaders = Partial<Record<Face, () => Promise<Uint8Array>>>;

/**
 * Creates a font set that loads each font on first use and then caches it.
 *
 * @param load a function that returns a font as TrueType bytes, such as `loadFace` from `@compliance/fonts`, or one
 * such function for each font. If no function is provided for a font that a certificate needs, `render` throws an error
 * that names the font.
 * @example const fonts = openFonts(loadFace);
 */
export function openFonts(load: ((face: Face) => Promise<Uint8Array>) | FontLoaders): Fonts {
  const opened = new Map<Face, Promise<OpenFace>>();
  const loadBytes = typeof load === 'function' ? load : (face: Face) => loadFrom(load, face);
  return {
    open(face) {
      let font = opened.get(face);
      if (!font) {
        font = loadBytes(face).then(bytes => new OpenFace(face, bytes));
        opened.set(face, font);
        // If loading fails, the next call tries to load the font again.
        font.catch(() => opened.delete(face));
      }
      return font;
    },
  };
}

async function loadFrom(loaders: FontLoaders, face: Face): Promise<Uint8Array> {
  const load = loaders[face];
  if (!load) throw new Error(`The text needs the font “${face}”, but no loader for it was passed to openFonts.`);
  return load();
}
