import { RemixBrowser } from '@remix-run/react';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { formatIn } from './i18n/format.ts';

// The first one of a process takes long; made here, it is no part of what a press must wait for while the page starts.
formatIn(document.documentElement.lang).number(0);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
});
