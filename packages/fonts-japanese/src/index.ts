/**
 * Fonts for Japanese text, as functions that load TrueType files. Each font is a module that's loaded on demand.
 *
 * @example (await japanese.jp()).length // 5472784
 */
export const japanese = {
  jp: (): Promise<Uint8Array> => import('./faces/jp.ts').then(({ loadJp }) => loadJp()),
};
