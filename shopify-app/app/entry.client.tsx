import { RemixBrowser } from '@remix-run/react';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { formatIn } from './i18n/format.ts';
import { ConnectionContext } from './ui/connection/connection-context.ts';
import { createResilientFetch } from './ui/connection/resilient-fetch.ts';

// Creating a page's first number formatter is slow, so creating it here avoids a delay during the first interaction.
formatIn(document.documentElement.lang).number(0);

// App Bridge has already replaced `fetch` to add session tokens.
const { fetch, connection } = createResilientFetch(window.fetch.bind(window), {
  origin: location.origin,
  events: window,
  isOnline: () => navigator.onLine,
  language: document.documentElement.lang,
});
window.fetch = fetch;

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <ConnectionContext.Provider value={connection}>
        <RemixBrowser />
      </ConnectionContext.Provider>
    </StrictMode>,
  );
});
