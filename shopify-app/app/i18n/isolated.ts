/** Signs that turn the direction of writing, or end such a turn. */
const TURNS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;

/**
 * A stranger's text, shut in when it turns the direction of writing, so that what stands beside it stays as it is. Any other
 * text is given as it is.
 *
 * @example isolated('Mug') // 'Mug'
 */
export const isolated = (text: string): string =>
  TURNS.test(text) ? `\u2068${text.replaceAll(/[\u2066-\u2069]/g, '')}\u2069` : text;
