import type { Capture } from '@compliance/core/pixel';
import type { Handling, PausedRequest } from '../browser/tab.ts';
import { vendorStub } from './vendor-stubs.ts';

/** Content types of the empty files that replace missing files of a saved page, so that its scripts keep running. */
const EMPTY: Readonly<Record<string, string>> = {
  Document: 'text/html',
  Stylesheet: 'text/css',
  Script: 'text/javascript',
  XHR: 'application/json',
  Fetch: 'application/json',
};

/**
 * Returns a function that serves the requests of a saved page from its capture. Scripts that the capture doesn't contain are
 * stubs or empty, and nothing reaches the network.
 *
 * @example const handle = servedFrom(capture); handle(request) // { status: 200, body: '<!doctype html>…' }
 */
export function servedFrom({ finalUrl, html, scripts }: Capture): (request: PausedRequest) => Handling {
  const bodies = new Map(scripts.map(({ url, body }) => [url, body]));
  const ok = (type: string, body: string): Handling => ({
    status: 200,
    headers: { 'content-type': `${type}; charset=utf-8`, 'access-control-allow-origin': '*' },
    body,
  });
  return ({ url, type, navigatesTab }) => {
    if (navigatesTab) return url === finalUrl ? ok('text/html', html) : 'fail';
    const script = bodies.get(url) ?? vendorStub(url);
    if (script !== null && script !== undefined) return ok('text/javascript', script);
    const empty = EMPTY[type];
    return ok(empty ?? 'application/octet-stream', empty === 'application/json' ? '{}' : '');
  };
}
