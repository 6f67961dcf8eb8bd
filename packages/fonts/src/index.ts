import { chinese } from '@compliance/fonts-chinese';
import { japanese } from '@compliance/fonts-japanese';
import { korean } from '@compliance/fonts-korean';
import { latin } from '@compliance/fonts-latin';

const fonts = {
  ...latin,
  ...chinese,
  ...japanese,
  ...korean,
  arabic: (): Promise<Uint8Array> => import('./faces/arabic.ts').then(({ arabic }) => arabic.arabic()),
  hebrew: (): Promise<Uint8Array> => import('./faces/hebrew.ts').then(({ hebrew }) => hebrew.hebrew()),
  armenian: (): Promise<Uint8Array> => import('./faces/armenian.ts').then(({ armenian }) => armenian.armenian()),
  bengali: (): Promise<Uint8Array> => import('./faces/bengali.ts').then(({ bengali }) => bengali.bengali()),
  ethiopic: (): Promise<Uint8Array> => import('./faces/ethiopic.ts').then(({ ethiopic }) => ethiopic.ethiopic()),
  georgian: (): Promise<Uint8Array> => import('./faces/georgian.ts').then(({ georgian }) => georgian.georgian()),
  gujarati: (): Promise<Uint8Array> => import('./faces/gujarati.ts').then(({ gujarati }) => gujarati.gujarati()),
  gurmukhi: (): Promise<Uint8Array> => import('./faces/gurmukhi.ts').then(({ gurmukhi }) => gurmukhi.gurmukhi()),
  kannada: (): Promise<Uint8Array> => import('./faces/kannada.ts').then(({ kannada }) => kannada.kannada()),
  khmer: (): Promise<Uint8Array> => import('./faces/khmer.ts').then(({ khmer }) => khmer.khmer()),
  lao: (): Promise<Uint8Array> => import('./faces/lao.ts').then(({ lao }) => lao.lao()),
  malayalam: (): Promise<Uint8Array> => import('./faces/malayalam.ts').then(({ malayalam }) => malayalam.malayalam()),
  myanmar: (): Promise<Uint8Array> => import('./faces/myanmar.ts').then(({ myanmar }) => myanmar.myanmar()),
  sinhala: (): Promise<Uint8Array> => import('./faces/sinhala.ts').then(({ sinhala }) => sinhala.sinhala()),
  tamil: (): Promise<Uint8Array> => import('./faces/tamil.ts').then(({ tamil }) => tamil.tamil()),
  telugu: (): Promise<Uint8Array> => import('./faces/telugu.ts').then(({ telugu }) => telugu.telugu()),
  thai: (): Promise<Uint8Array> => import('./faces/thai.ts').then(({ thai }) => thai.thai()),
};

/**
 * Name of an available font. `sans` and `sans-bold` cover Latin, Vietnamese, Greek, Cyrillic, and Devanagari. `sc`
 * covers simplified and traditional Chinese, `jp` Japanese, and `kr` Korean. Every other font is named for its script.
 */
export type Face = keyof typeof fonts;

/** Names of all available fonts. */
export const faces = Object.keys(fonts) as Face[];

/**
 * Loads a Noto font (TTF, SIL Open Font License 1.1). The first call for a font loads the module that contains the
 * font. The result isn't cached.
 *
 * @example (await loadFace('thai')).length // 47484
 */
export async function loadFace(face: Face): Promise<Uint8Array> {
  return fonts[face]();
}
