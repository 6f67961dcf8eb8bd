import type { TextFace } from './coverage.ts';

/** The most likely language for each font's script, based on the likely subtags in Unicode CLDR. */
const LANGUAGES: Partial<Record<TextFace, string>> = {
  arabic: 'ar',
  armenian: 'hy',
  bengali: 'bn',
  ethiopic: 'am',
  georgian: 'ka',
  gujarati: 'gu',
  gurmukhi: 'pa',
  hebrew: 'he',
  jp: 'ja',
  kannada: 'kn',
  khmer: 'km',
  kr: 'ko',
  lao: 'lo',
  malayalam: 'ml',
  myanmar: 'my',
  sc: 'zh',
  sinhala: 'si',
  tamil: 'ta',
  telugu: 'te',
  thai: 'th',
};

/**
 * Returns a word's most likely language based on its script and font, or null for Latin letters and digits. Han
 * characters are Chinese unless the font was selected for Japanese or Korean text.
 *
 * @example languageOf('ไทย', 'thai') // 'th'
 */
export function languageOf(word: string, face: TextFace): string | null {
  if (face !== 'sans') return LANGUAGES[face] ?? null;
  if (/\p{Script=Greek}/u.test(word)) return 'el';
  if (/\p{Script=Cyrillic}/u.test(word)) return 'ru';
  return /\p{Script=Devanagari}/u.test(word) ? 'hi' : null;
}
