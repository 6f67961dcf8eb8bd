import { isRouteErrorResponse, useRouteError } from '@remix-run/react';

/**
 * What a merchant sees when a page cannot be made. It stands outside of everything that may have failed, so it has no
 * Polaris and no translation. The body of a thrown response is never shown: it may hold what a stranger wrote.
 */
export function ErrorBoundary() {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  return (
    <main style={{ maxWidth: '40rem', margin: '4rem auto', padding: '0 1rem', fontFamily: 'sans-serif' }}>
      <h1>{status === 404 ? 'There is no such page' : 'This page could not be shown'}</h1>
      <p>
        {status === 404
          ? 'The address may be mistyped, or what it led to is gone.'
          : 'Nothing of yours is lost. Try again in a moment.'}
      </p>
      <p>
        <a href="/app">Back to the start</a>
      </p>
    </main>
  );
}
