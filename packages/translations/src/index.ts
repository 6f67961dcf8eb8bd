export { de } from './de/index.ts';
export { en } from './en/index.ts';
export { es } from './es/index.ts';
export { fr } from './fr/index.ts';
export { ja } from './ja/index.ts';
export { SUPPORTED_LANGUAGES, translationOf } from './languages.ts';
export type { Translation } from './translation.ts';
