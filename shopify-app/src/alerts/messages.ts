import { createInstance, type TFunction } from 'i18next';
import de from './locales/de.json' with { type: 'json' };
import en from './locales/en.json' with { type: 'json' };
import es from './locales/es.json' with { type: 'json' };
import fr from './locales/fr.json' with { type: 'json' };
import ja from './locales/ja.json' with { type: 'json' };

const LOCALES = { en, de, fr, es, ja };

const i18n = createInstance();
void i18n.init({
  resources: Object.fromEntries(
    Object.entries(LOCALES).map(([language, messages]) => [language, { translation: messages }]),
  ),
  lng: 'en',
  fallbackLng: 'en',
  initAsync: false,
  // Emails are plain text, and pages escape values themselves.
  interpolation: { escapeValue: false },
});

/** Returns the supported language for a BCP 47 tag, or English if the tag's language isn't supported. */
export const messageLanguage = (tag: string | null): string =>
  Object.keys(LOCALES).find(language => tag?.split('-')[0] === language) ?? 'en';

/**
 * Returns the function that translates messages for emails, Shopify Flow events, and the unsubscribe page.
 *
 * @example translate('de-AT')('subject.many', { count: 3, shop })
 */
export const translate = (tag: string | null): TFunction => i18n.getFixedT(messageLanguage(tag));
