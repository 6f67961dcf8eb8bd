import { RemixBrowser } from '@remix-run/react';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { formatIn } from './i18n/format.ts';

// Creating a page's first number formatter is slow, so creating it here avoids a delay during the first interaction.
formatIn(document.documentElement.lang).number(0);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
});
