import { html } from 'hono/html';
import type { ApiError } from '../errors/api-error.ts';
import type { Html } from '../pages/page.ts';
import { prose } from '../pages/prose.ts';
import type { CheckOutcome } from './run-check.ts';

const TITLES: Partial<Record<ApiError['code'], string>> = {
  rate_limited: 'Too many checks from your network',
  scan_failed: "This page can't be scanned",
  upstream: "The site's server didn't return a valid response",
  unavailable: 'The service is unavailable',
  storage_full: 'The service can’t process your request right now',
  internal: 'Something went wrong',
};

/** Replacements for API messages about headers or fields that visitors can't see. */
const TEXTS: Partial<Record<ApiError['code'], string>> = {
  rate_limited: "Your request wasn't processed.",
  unavailable: "Your request wasn't processed.",
  storage_full: "Your request wasn't processed.",
};

/** Returns the validation error for a form field, which is shown next to the field. */
export function fieldError(outcome: CheckOutcome<unknown>): string | undefined {
  if (!outcome || !('error' in outcome)) return undefined;
  return outcome.error.detail.issues?.map(({ message }) => message).join(' ');
}

/** Renders the notice that replaces the result if a check fails. */
export function errorNotice({ code, message, headers, detail }: ApiError, requestId: string): Html {
  if (detail.issues) return html``;
  const wait = headers['Retry-After'];
  return html`<div class="notice bad" role="alert"><p><strong>${TITLES[code] ?? prose(message)}</strong></p>
<p>${TEXTS[code] ?? prose(message)}${wait !== undefined && ` Try again in ${wait} ${wait === '1' ? 'second' : 'seconds'}.`}</p>
<p class="small"><a href="/docs/errors/${code}">About this error</a>${code === 'internal' && html` · Request ID: <code>${requestId}</code>`}</p></div>`;
}
