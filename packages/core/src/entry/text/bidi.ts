import bidiFactory from 'bidi-js';

// Its types describe an ES module, and Node loads it as CommonJS: the default import is the factory itself. A bundler's
// view of the same types has no `default`.
type Factory = typeof bidiFactory extends { default: infer Default } ? Default : typeof bidiFactory;
const bidi = (bidiFactory as unknown as Factory)();

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The embedding level of every code unit of a text, or null when all of it runs from left to right. Paragraphs run from left
 * to right, as the English form does that they stand in; Arabic and Hebrew are runs inside.
 */
export function levelsOf(text: string): Uint8Array | null {
  return RIGHT_TO_LEFT.test(text) ? bidi.getEmbeddingLevels(text, 'ltr').levels : null;
}

// Left-to-right isolates: inside them, too, the form's direction holds.
const ISOLATE = ['\u2066', '\u2069'] as const;

/** Keeps a right-to-left value to itself, so that what is joined to it is not drawn among its words. */
export function isolate(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `${ISOLATE[0]}${text}${ISOLATE[1]}` : text;
}

/** Whether a character is a mark of {@link isolate}. They order a text and are never drawn. */
export const isIsolate = (character: string) => character === ISOLATE[0] || character === ISOLATE[1];

/** Turns brackets and their like around, as they are drawn in right-to-left text. */
export function mirror(text: string): string {
  let mirrored = '';
  for (const character of text) mirrored += bidi.getMirroredCharacter(character) ?? character;
  return mirrored;
}

/**
 * Rule L2 of the bidi algorithm: the order in which the parts of a line are drawn from left to right, from their levels.
 *
 * @example visualOrder([0, 1, 1]) // [0, 2, 1]
 */
export function visualOrder(levels: readonly number[]): number[] {
  const order = levels.map((_, at) => at);
  for (let level = Math.max(0, ...levels); level > 0; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from;
      while (to < order.length && levels[order[to]!]! >= level) to++;
      if (to > from + 1) order.splice(from, to - from, ...order.slice(from, to).reverse());
      if (to > from) from = to;
    }
  }
  return order;
}
