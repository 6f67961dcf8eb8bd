import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import { TranslationProvider } from '../../i18n/provider.tsx';
import { translationsFor } from '../../i18n/translations.server.ts';
import '../../ui/kit/styles.css';
import { STORIES_BY_SCREEN } from './stories.ts';

// This file runs in the browser that `open-harness.ts` starts.
const root = createRoot(document.querySelector('#harness')!);
let renderCount = 0;

Object.assign(window, {
  async show(screen: string, index: number, locale: string) {
    const translations = translationsFor(new Request(`https://app.example/app?locale=${locale}`));
    document.documentElement.lang = locale;
    flushSync(() =>
      root.render(
        <MemoryRouter key={++renderCount} future={{ v7_startTransition: true, v7_relativeSplatPath: true }}>
          <TranslationProvider {...translations}>
            <main>{STORIES_BY_SCREEN[screen]![index]!.screen}</main>
          </TranslationProvider>
        </MemoryRouter>,
      ),
    );
    // Expand collapsed content so that the tests include it.
    for (const details of document.querySelectorAll<HTMLDetailsElement>('details:not([open])')) {
      const opened = new Promise(done => details.addEventListener('toggle', done, { once: true }));
      details.open = true;
      await opened;
    }
  },
});
