import { de } from './de/index.ts';
import { en } from './en/index.ts';
import { es } from './es/index.ts';
import { fr } from './fr/index.ts';
import { ja } from './ja/index.ts';
import type { Translation } from './translation.ts';

/** Translations by language tag, with English first. */
const TRANSLATIONS: Readonly<Record<string, Translation>> = { en, de, es, fr, ja };

/** Tags of the supported languages, with English first. */
export const SUPPORTED_LANGUAGES: readonly string[] = Object.keys(TRANSLATIONS);

/**
 * Returns the strings for a language tag, or null if the language isn't supported. Ignores the tag's other parts, such
 * as the region.
 *
 * @param tag BCP 47 language tag
 * @example translationOf('de-AT')?.locale // 'de'
 */
export function translationOf(tag: string): Translation | null {
  const language = tag.split('-')[0]!.toLowerCase();
  return (Object.hasOwn(TRANSLATIONS, language) ? TRANSLATIONS[language] : undefined) ?? null;
}
