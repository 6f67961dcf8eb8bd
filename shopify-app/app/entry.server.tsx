import type { AppLoadContext, EntryContext } from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import { renderToString } from 'react-dom/server';
import { documentHeaders, newNonce } from '../src/http/document-headers.ts';
import { NonceProvider } from './document/nonce.ts';

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  context: AppLoadContext,
): Response {
  const nonce = newNonce();
  const html = renderToString(
    <NonceProvider value={nonce}>
      <RemixServer context={remix} url={request.url} />
    </NonceProvider>,
  );
  documentHeaders(headers, { shop: context.shop, nonce });
  return new Response(`<!doctype html>${html}`, { status, headers });
}

// By default, Remix logs error messages to the console, and these messages might contain untrusted text.
export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }): void {
  // Client errors and aborted requests aren't app failures.
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.app.logFailure(error, { method: request.method, path: new URL(request.url).pathname });
}
