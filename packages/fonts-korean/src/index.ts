/**
 * Fonts for Korean text, as functions that load TrueType files. Each font is a module that's loaded on demand.
 *
 * @example (await korean.kr()).length // 6185868
 */
export const korean = {
  kr: (): Promise<Uint8Array> => import('./faces/kr.ts').then(({ loadKr }) => loadKr()),
};
