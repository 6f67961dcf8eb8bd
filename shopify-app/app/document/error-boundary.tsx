import { isRouteErrorResponse, useRouteError } from '@remix-run/react';

/**
 * Shows an error page when a page can't be rendered. The error page doesn't use Polaris or translations, because either
 * might have caused the error. The page also doesn't show the body of a thrown response, which might contain untrusted
 * text.
 */
export function ErrorBoundary() {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  return (
    <main style={{ maxWidth: '40rem', margin: '4rem auto', padding: '0 1rem', fontFamily: 'sans-serif' }}>
      <h1>{status === 404 ? 'Page not found' : 'This page couldn’t load'}</h1>
      <p>
        {status === 404
          ? 'The URL might be wrong, or the page might no longer exist.'
          : 'Your data is safe. Wait a moment, then reload the page.'}
      </p>
      <p>
        <a href="/app">Go to app home</a>
      </p>
    </main>
  );
}
