import { AppProvider, type AppProviderProps } from '@shopify/polaris';
import { createInstance } from 'i18next';
import { type ReactNode, useState } from 'react';
import { I18nextProvider, initReactI18next } from 'react-i18next';
import { PolarisLink } from '../document/polaris-link.tsx';
import { formatIn } from './format.ts';
import { isolated } from './isolated.ts';
import type { Messages } from './pseudo.ts';

/** What a page needs to speak one language: ours, and Polaris' for its own parts. */
export interface Translations {
  readonly locale: string;
  readonly messages: Messages;
  readonly polaris: AppProviderProps['i18n'];
}

/** Makes `useTranslation` and Polaris speak the language of the document. */
export function TranslationProvider({
  locale,
  messages,
  polaris,
  children,
}: Translations & { readonly children: ReactNode }) {
  const [i18n] = useState(() => {
    const instance = createInstance();
    void instance.use(initReactI18next).init({
      lng: locale,
      resources: { [locale]: { translation: messages } },
      // React escapes what is shown; escaping twice would show entities. It does not keep texts in their place.
      interpolation: { escapeValue: true, escape: isolated },
      initAsync: false,
      // A document keeps its language: no part of it listens for another.
      react: { bindI18n: false, bindI18nStore: false },
    });
    // Its own makes a format for each number that a text is given.
    instance.services.formatter?.add('number', (value: number) => formatIn(locale).number(value));
    return instance;
  });
  return (
    <I18nextProvider i18n={i18n}>
      <AppProvider i18n={polaris} linkComponent={PolarisLink}>
        {children}
      </AppProvider>
    </I18nextProvider>
  );
}
