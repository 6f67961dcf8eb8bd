import { create, type Font } from 'fontkit';
import type { Face } from './coverage.ts';

/**
 * One shape of one face and the text it stands for. Two texts with one shape (a bracket and its mirror image, a space and a
 * no-break space) are two glyphs, so that what is read back from a page is what was written. `advance` is in 1/1000 em.
 */
export interface Glyph {
  readonly id: number;
  readonly text: string;
  readonly advance: number;
}

/** Where a glyph of a shaped run stands apart from its place in the line, in 1/1000 em. */
export interface Offset {
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
  readonly #byCodePoint = new Map<number, Glyph>();
  readonly #byShape = new Map<string, Glyph>();

  constructor(face: Face, bytes: Uint8Array) {
    this.face = face;
    this.font = create(bytes);
    this.#scale = 1000 / this.font.unitsPerEm;
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

  #glyphOf(codePoint: number, text: string): Glyph {
    let glyph = this.#byCodePoint.get(codePoint);
    if (!glyph) {
      const { id, advanceWidth } = this.font.glyphForCodePoint(codePoint);
      glyph = this.#intern(id, text, advanceWidth * this.#scale);
      this.#byCodePoint.set(codePoint, glyph);
    }
    return glyph;
  }

  #intern(id: number, text: string, advance: number): Glyph {
    const key = `${id} ${text}`;
    let glyph = this.#byShape.get(key);
    if (!glyph) {
      glyph = { id, text, advance };
      this.#byShape.set(key, glyph);
    }
    return glyph;
  }

  #layout(text: string, rightToLeft: boolean): Shaped {
    const run = this.font.layout(text, undefined, undefined, undefined, rightToLeft ? 'rtl' : 'ltr');
    const scale = this.#scale;
    let width = 0;
    const glyphs = run.glyphs.map(glyph =>
      this.#intern(glyph.id, String.fromCodePoint(...glyph.codePoints), glyph.advanceWidth * scale),
    );
    const offsets = run.positions.map(position => {
      width += position.xAdvance * scale;
      return { x: position.xOffset * scale, y: position.yOffset * scale, advance: position.xAdvance * scale };
    });
    return { glyphs, offsets, width };
  }
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
