import '@shopify/polaris/build/esm/styles.css';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import { TranslationProvider } from '../../i18n/provider.tsx';
import { translationsFor } from '../../i18n/translations.server.ts';
import { SCREENS } from './screens.ts';

// What runs in the browser of `open-stage.ts`.
const root = createRoot(document.querySelector('#stage')!);
let shows = 0;

Object.assign(window, {
  async show(screen: string, index: number, locale: string) {
    const translations = translationsFor(new Request(`https://app.example/app?locale=${locale}`));
    document.documentElement.lang = locale;
    flushSync(() =>
      root.render(
        <MemoryRouter key={++shows} future={{ v7_startTransition: true, v7_relativeSplatPath: true }}>
          <TranslationProvider {...translations}>
            <main>{SCREENS[screen]![index]!.screen}</main>
          </TranslationProvider>
        </MemoryRouter>,
      ),
    );
    // What waits behind a fold is looked at too.
    for (const fold of document.querySelectorAll<HTMLDetailsElement>('details:not([open])')) {
      const opened = new Promise(done => fold.addEventListener('toggle', done, { once: true }));
      fold.open = true;
      await opened;
    }
  },
});
