import bidiFactory from 'bidi-js';

// bidi-js has ES module types, but Node loads the package as CommonJS, so the default import is the factory. With a
// bundler's module resolution, the imported type doesn't have a `default` property.
type Factory = typeof bidiFactory extends { default: infer Default } ? Default : typeof bidiFactory;
const bidi = (bidiFactory as unknown as Factory)();

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Returns the embedding level of every code unit, or null if all text runs left to right. The base direction is left to
 * right, because the form is in English. Arabic and Hebrew text is embedded as right-to-left runs.
 */
export function levelsOf(text: string): Uint8Array | null {
  return RIGHT_TO_LEFT.test(text) ? bidi.getEmbeddingLevels(text, 'ltr').levels : null;
}

// Left-to-right isolates preserve the form's base direction inside a value.
const ISOLATE = ['\u2066', '\u2069'] as const;

/** Isolates a right-to-left value, so that adjacent text isn't drawn between its words. */
export function isolate(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `${ISOLATE[0]}${text}${ISOLATE[1]}` : text;
}

/** Returns whether a character is an {@link isolate} mark. Isolate marks affect the text order but are never drawn. */
export const isIsolate = (character: string) => character === ISOLATE[0] || character === ISOLATE[1];

/**
 * Returns the visual order of a line's parts, based on their levels (rule L2 of the bidi algorithm).
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
