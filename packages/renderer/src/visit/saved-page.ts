import type { Capture } from '@compliance/core/pixel';
import type { Handling } from '../browser/tab.ts';
import { PRIVACY_API } from '../consent/choose-consent.ts';
import type { PageSource } from './page-source.ts';
import { vendorStub } from './vendor-stubs.ts';

/**
 * Content types of the empty files that replace a saved page's missing files, so that the page's scripts keep running.
 */
const EMPTY: Readonly<Record<string, string>> = {
  Document: 'text/html',
  Stylesheet: 'text/css',
  Script: 'text/javascript',
  XHR: 'application/json',
  Fetch: 'application/json',
};

/** Header that can block a page's own tags. */
const POLICY = 'content-security-policy';

/**
 * Serves a visit's requests from a saved page. Scripts that the capture doesn't contain are replaced with stubs or
 * empty files, and nothing reaches the network. Every page gets a small replacement for Shopify's Customer Privacy API.
 *
 * @example savedPage(capture).respond(request, 'page') // { status: 200, body: '<!doctype html>…' }
 */
export function savedPage({ finalUrl, html, headers, scripts }: Capture): PageSource {
  const bodies = new Map(scripts.map(({ url, body }) => [url, body]));
  // Also index the scripts by path, because libraries add parameters to the URLs of the scripts that they load.
  const byPath = new Map(scripts.filter(({ url }) => !url.includes('?')).map(({ url, body }) => [url, body]));
  const url = withoutFragment(finalUrl);
  const policy = headers[POLICY];
  const ok = (type: string, body: string, more: Readonly<Record<string, string>> = {}): Handling => ({
    status: 200,
    headers: { 'content-type': `${type}; charset=utf-8`, 'access-control-allow-origin': '*', ...more },
    body,
  });
  return {
    ...{ url, isSaved: true, initScript: PRIVACY_API, allows: async () => true },
    respond({ url: address, type, navigatesTab }) {
      if (navigatesTab) return address === url ? ok('text/html', html, policy ? { [POLICY]: policy } : {}) : 'fail';
      const script = bodies.get(address) ?? byPath.get(withoutQuery(address)) ?? vendorStub(address);
      if (script !== null && script !== undefined) return ok('text/javascript', script);
      const empty = EMPTY[type];
      return ok(empty ?? 'application/octet-stream', empty === 'application/json' ? '{}' : '');
    },
  };
}

const withoutQuery = (url: string): string => url.replace(/[?#].*/s, '');

/**
 * Returns a URL without its fragment. If the URL contained a fragment, loading the page a second time would only scroll
 * to it.
 */
export const withoutFragment = (url: string): string => url.replace(/#.*/s, '');
