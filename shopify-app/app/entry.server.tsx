import { randomBytes } from 'node:crypto';
import type { AppLoadContext, EntryContext } from '@remix-run/node';
import { RemixServer } from '@remix-run/react';
import { renderToString } from 'react-dom/server';
import { NonceProvider } from './document/nonce.ts';

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  context: AppLoadContext,
): Response {
  const nonce = randomBytes(16).toString('base64');
  const html = renderToString(
    <NonceProvider value={nonce}>
      <RemixServer context={remix} url={request.url} />
    </NonceProvider>,
  );
  context.app.documentHeaders(request, headers, nonce);
  headers.set('Content-Type', 'text/html; charset=utf-8');
  return new Response(`<!doctype html>${html}`, { status, headers });
}

// Remix would write errors to the console with their messages, which may hold what a stranger wrote.
export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }): void {
  if (!request.signal.aborted) context.app.failed(error, request);
}
