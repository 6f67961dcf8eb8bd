import de from './de.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import ko from './ko.json' with { type: 'json' };
import vi from './vi.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };

/** Translation languages for bilingual certificates, as BCP 47 tags. `zh` is Simplified Chinese. */
export const SECOND_LANGUAGES = ['de', 'es', 'fr', 'ja', 'ko', 'vi', 'zh'] as const;

/** One of {@link SECOND_LANGUAGES}. */
export type SecondLanguage = (typeof SECOND_LANGUAGES)[number];

/** English text that every message catalog translates. `{name}` is a placeholder for a value. */
export type MessageText = keyof typeof de;

/** Text of the form itself, as opposed to a value from the request, which is never translated. */
export interface Message {
  readonly message: MessageText;
  /** The placeholders' values, which are the same in both languages. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Text to print and its language. The language is null for English and for values, whose language is unknown. */
export interface PrintedText {
  readonly text: string;
  readonly language: SecondLanguage | null;
}

/** Each language's translations. */
export const CATALOGS: Readonly<Record<SecondLanguage, Readonly<Record<MessageText, string>>>> = {
  ...{ de, es, fr, ja, ko, vi, zh },
};

/** Returns whether the text has translations. Sentences in some attestation versions might not have translations. */
export const isMessage = (text: string): text is MessageText => Object.hasOwn(de, text);

/**
 * Returns the text to print for a value or a message: the English text followed by the translation, if there's a
 * second language. The translation is omitted if it's the same as the English text.
 *
 * @example printedTexts({ message: 'Address' }, 'es') // [{ text: 'Address', … }, { text: 'Dirección', language: 'es' }]
 */
export function printedTexts(content: string | Message, language: SecondLanguage | null): readonly PrintedText[] {
  if (typeof content === 'string') return [{ text: content, language: null }];
  const { message, values = {} } = content;
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '').trimEnd();
  const english = { text: fill(message), language: null };
  const translation = language === null ? message : CATALOGS[language][message];
  return translation === message ? [english] : [english, { text: fill(translation), language }];
}
