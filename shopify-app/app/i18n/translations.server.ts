import { requestedLanguage } from '../../src/translation/requested-language.ts';
import { KIT_MESSAGES } from '../ui/kit/messages.ts';
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
  en: { messages: messagesOf('en'), kit: KIT_MESSAGES.en },
  de: { messages: messagesOf('de'), kit: KIT_MESSAGES.de },
  es: { messages: messagesOf('es'), kit: KIT_MESSAGES.es },
  fr: { messages: messagesOf('fr'), kit: KIT_MESSAGES.fr },
  ja: { messages: messagesOf('ja'), kit: KIT_MESSAGES.ja },
  // Pseudo-locale whose text is at least 40% longer, for testing screen layouts.
  'en-XA': { messages: pseudolocalize(messagesOf('en')), kit: KIT_MESSAGES.en },
};

/**
 * Returns the translations for a request, in the language from the merchant's settings or, if none is set, in the
 * requested language. Unsupported languages fall back to English.
 */
export function translationsFor(request: Request, preferred: string | null = null): Translations {
  const requested = preferred ?? requestedLanguage(request) ?? 'en';
  const known = [requested, requested.split('-')[0]!].find(locale => Object.hasOwn(LANGUAGES, locale)) ?? 'en';
  return { locale: known, ...LANGUAGES[known]! };
}
