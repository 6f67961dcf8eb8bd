import type { RequestListener } from 'node:http';
import type { Canaries, Target } from './canaries.ts';
import { CHANNELS } from './channels.ts';

const STAYING = 'all';

/** Paths of the hostile pages, such as `all` and `download`. Each page has one version per target. */
export const PAGES = [...new Set(CHANNELS.map(({ page = STAYING }) => page))];

/** Returns the channels of a page. */
export const channelsOf = (path: string) => CHANNELS.filter(({ page = STAYING }) => page === path);

/** Returns the combined HTML of all channels on a page, using the canaries for one target. */
export const hostilePage = (path: string, target: Target, canaries: Canaries): string =>
  channelsOf(path)
    .map(channel => channel.html(canaries.of(channel.name, target)))
    .join('\n');

/**
 * Returns a listener that serves the hostile shop and the sites that it uses. For example, `/page/download/other`
 * contains the channels of the `download` page for the `other` target.
 *
 * @param onPage called for each page
 */
export function hostileShop(canaries: Canaries, onPage: (path: string) => void): RequestListener {
  return (request, response) => {
    const [, first = '', second = '', third = ''] = decodeURI(request.url ?? '')
      .replace('?', '/')
      .split('/');
    const canary = `https://${second}:${third}/`;
    const html = (body: string, headers = {}) =>
      response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(`<!doctype html><body>${body}</body>`);
    if (request.headers.host === 'redirect.example')
      return response.writeHead(302, { location: canary, 'access-control-allow-origin': '*' }).end();
    if (first === 'page') {
      onPage(`${second} ${third}`);
      return html(hostilePage(second, third as Target, canaries));
    }
    if (first === 'csp')
      return html('<img src="https://elsewhere.example/">', {
        'content-security-policy': `default-src 'none'; report-uri ${canary}`,
      });
    if (first === 'reporting')
      return html('<img src="https://elsewhere.example/">', {
        'reporting-endpoints': `canary="${canary}"`,
        'content-security-policy': "default-src 'none'; report-to canary",
      });
    if (first === 'nel')
      return html('', {
        'report-to': JSON.stringify({ group: 'canary', max_age: 1_000, endpoints: [{ url: canary }] }),
        nel: JSON.stringify({ report_to: 'canary', max_age: 1_000, success_fraction: 1 }),
      });
    if (first === 'hsts') return html('', { 'strict-transport-security': 'max-age=1000' });
    if (first === 'shared.js' || first === 'service.js')
      return response.writeHead(200, { 'content-type': 'text/javascript' }).end(`fetch("${canary}",{mode:"no-cors"})`);
    return response.writeHead(404).end();
  };
}
