/** Unicode bidirectional control characters. */
const DIRECTION_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;

/**
 * Isolates untrusted text that contains bidirectional control characters so that the surrounding text keeps its order.
 * Returns other text unchanged.
 *
 * @example bidiIsolate('Mug') // 'Mug'
 */
export const bidiIsolate = (text: string): string =>
  DIRECTION_CONTROLS.test(text) ? `\u2068${text.replaceAll(/[\u2066-\u2069]/g, '')}\u2069` : text;
