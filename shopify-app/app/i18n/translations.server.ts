import polarisDe from '@shopify/polaris/locales/de.json';
import polarisEn from '@shopify/polaris/locales/en.json';
import polarisEs from '@shopify/polaris/locales/es.json';
import polarisFr from '@shopify/polaris/locales/fr.json';
import polarisJa from '@shopify/polaris/locales/ja.json';
import type { Translations } from './provider.tsx';
import { type Messages, pseudo } from './pseudo.ts';

/** One file for each screen and language: `locales/<language>/<screen>.json` holds the messages `<screen>.*`. */
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
  // Text 40 % longer, to see that no screen breaks.
  'en-XA': { messages: pseudo(messagesOf('en')), polaris: polarisEn },
};

/**
 * The language that the merchant fixed, else the one that Shopify's admin asked for in `locale`; English when it is not one
 * of ours.
 */
export function translationsFor(request: Request, fixed: string | null = null): Translations {
  const asked = fixed ?? new URL(request.url).searchParams.get('locale') ?? 'en';
  const known = [asked, asked.split('-')[0]!].find(locale => Object.hasOwn(LANGUAGES, locale)) ?? 'en';
  return { locale: known, ...LANGUAGES[known]! };
}
