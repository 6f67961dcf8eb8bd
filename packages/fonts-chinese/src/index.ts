/**
 * Fonts for simplified and traditional Chinese text, as functions that load TrueType files. Each font is a module
 * that's loaded on demand.
 *
 * @example (await chinese.sc()).length // 10559284
 */
export const chinese = {
  sc: (): Promise<Uint8Array> => import('./faces/sc.ts').then(({ loadSc }) => loadSc()),
};
