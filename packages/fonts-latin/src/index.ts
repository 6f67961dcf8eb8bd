/**
 * Fonts for Latin (including Vietnamese), Greek, Cyrillic, and Devanagari text, as functions that load TrueType files.
 * Each font is a module that's loaded on demand.
 *
 * @example (await latin.sans()).length // 629024
 */
export const latin = {
  sans: (): Promise<Uint8Array> => import('./faces/sans.ts').then(({ loadSans }) => loadSans()),
  'sans-bold': (): Promise<Uint8Array> => import('./faces/sans-bold.ts').then(({ loadSansBold }) => loadSansBold()),
};
