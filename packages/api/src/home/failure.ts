import { html } from 'hono/html';
import type { ApiError } from '../errors.ts';
import type { Html } from '../pages/page.ts';
import type { Checked } from './check.ts';

const TITLES: Partial<Record<ApiError['code'], string>> = {
  rate_limited: 'Too many checks from your network.',
  scan_failed: 'There is no page to scan at this address.',
  upstream: 'The site failed while it was read.',
  unavailable: 'There is no room for this right now.',
  internal: 'The service failed.',
};

/** What is wrong with the text of a field, told at the field. */
export function faultOf(checked: Checked<unknown>): string | undefined {
  if (!checked || !('error' in checked)) return undefined;
  return checked.error.detail.issues?.map(({ message }) => message).join(' ');
}

/** What is told in place of an answer. */
export function failure({ code, message, headers, detail }: ApiError, requestId: string): Html {
  if (detail.issues) return html``;
  const wait = headers['Retry-After'];
  return html`<div class="notice bad" role="alert"><p><strong>${TITLES[code] ?? message}</strong></p>
<p>${code === 'rate_limited' ? 'Nothing was checked.' : message}${wait !== undefined && ` Try again in ${wait} seconds.`}</p>
<p class="small"><a href="/docs/errors/${code}">What this means</a>${code === 'internal' && html` · request id <code>${requestId}</code>`}</p></div>`;
}
