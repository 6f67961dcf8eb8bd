import { createInstance } from 'i18next';
import { type ReactNode, useState } from 'react';
import { I18nextProvider, initReactI18next } from 'react-i18next';
import { type KitMessages, KitProvider } from '../ui/kit/provider.tsx';
import { bidiIsolate } from './bidi-isolate.ts';
import { formatIn } from './format.ts';
import type { Messages } from './pseudolocalize.ts';

/** App and UI kit messages for one language. */
export interface Translations {
  readonly locale: string;
  readonly messages: Messages;
  readonly kit: KitMessages;
}

/** Sets the language of `useTranslation` and the UI kit to the document's language. */
export function TranslationProvider({
  locale,
  messages,
  kit,
  children,
}: Translations & { readonly children: ReactNode }) {
  const [i18n] = useState(() => {
    const instance = createInstance();
    void instance.use(initReactI18next).init({
      lng: locale,
      resources: { [locale]: { translation: messages } },
      // React already escapes HTML, and escaping text twice would display HTML entities. React doesn't isolate
      // bidirectional text, so the custom `escape` function does.
      interpolation: { escapeValue: true, escape: bidiIsolate },
      initAsync: false,
      // Components don't need to listen for language changes, because a document's language never changes.
      react: { bindI18n: false, bindI18nStore: false },
    });
    // The formatter built into i18next creates a new `Intl.NumberFormat` for every number.
    instance.services.formatter?.add('number', (value: number) => formatIn(locale).number(value));
    return instance;
  });
  return (
    <I18nextProvider i18n={i18n}>
      <KitProvider messages={kit}>{children}</KitProvider>
    </I18nextProvider>
  );
}
