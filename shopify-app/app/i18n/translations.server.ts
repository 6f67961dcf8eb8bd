import polarisDe from '@shopify/polaris/locales/de.json';
import polarisEn from '@shopify/polaris/locales/en.json';
import polarisEs from '@shopify/polaris/locales/es.json';
import polarisFr from '@shopify/polaris/locales/fr.json';
import polarisJa from '@shopify/polaris/locales/ja.json';
import type { Translations } from './provider.tsx';
import { type Messages, pseudolocalize } from './pseudolocalize.ts';

/**
 * Message files by path: `locales/<language>/<screen>.json` contains the messages whose keys start with `<screen>.`.
 */
const files = import.meta.glob<Messages>('./locales/*/*.json', { eager: true, import: 'default' });

function messagesOf(language: string): Messages {
  const own = Object.entries(files).flatMap(([path, messages]) => {
    const [, lang, screen] = /\/([\w-]+)\/([\w-]+)\.json$/.exec(path)!;
    return lang === language ? [[screen!, messages] as const] : [];
  });
  return Object.fromEntries(own);
}

const LANGUAGES: Readonly<Record<string, Omit<Translations, 'locale'>>> = {
  en: { messages: messagesOf('en'), polaris: polarisEn },
  de: { messages: messagesOf('de'), polaris: polarisDe },
  es: { messages: messagesOf('es'), polaris: polarisEs },
  fr: { messages: messagesOf('fr'), polaris: polarisFr },
  ja: { messages: messagesOf('ja'), polaris: polarisJa },
  // Pseudo-locale whose text is 40% longer, for testing screen layouts.
  'en-XA': { messages: pseudolocalize(messagesOf('en')), polaris: polarisEn },
};

/**
 * Returns the translations for a request, in the language from the merchant's settings or, if none is set, from the
 * admin's `locale` parameter. Unsupported languages fall back to English.
 */
export function translationsFor(request: Request, preferred: string | null = null): Translations {
  const requested = preferred ?? new URL(request.url).searchParams.get('locale') ?? 'en';
  const known = [requested, requested.split('-')[0]!].find(locale => Object.hasOwn(LANGUAGES, locale)) ?? 'en';
  return { locale: known, ...LANGUAGES[known]! };
}
