import { html } from 'hono/html';
import { ERRORS, type ErrorCode } from '../error-codes.ts';
import { bodyOfError } from '../errors.ts';
import { errorCodesOf, KEY_REFUSALS } from '../openapi/document.ts';
import { OPERATIONS } from '../operations/operations.gen.ts';
import type { Html } from '../pages/page.ts';
import { prose } from '../pages/prose.ts';
import { V0_OPERATIONS } from '../v0/operations/operations.gen.ts';
import { anchorOf } from './reference/operation.ts';

/** What an example says beside the code. */
const DETAILS: Partial<Record<ErrorCode, object>> = {
  invalid_request: {
    issues: [
      { path: 'codes.0', code: 'INVALID_TYPE', message: 'Give each code as text; a number loses leading zeros.' },
    ],
  },
  scan_failed: { reason: 'unreachable' },
  upstream: { reason: 'http_error' },
};

/** The page of an error code: what happened, what to do, what the answer looks like, who can give it. */
export function errorPage(code: ErrorCode): Html {
  const { status, message, cause, remedy } = ERRORS[code];
  const given = [
    ...OPERATIONS.filter(operation => errorCodesOf(operation, KEY_REFUSALS).includes(code)),
    ...V0_OPERATIONS.filter(operation => errorCodesOf(operation, []).includes(code)),
  ];
  const example = bodyOfError(code, {
    message,
    detail: DETAILS[code] ?? {},
    requestId: '2f7d4a0e-6a52-4c1c-9d1f-0b6f2f4c8a11',
  });
  return html`<article class="prose-page">
<div class="heading"><p class="crumb"><a href="/docs#errors">Errors</a></p><h1 class="mono">${code}</h1>
<p class="lead">${status}: ${message}</p></div>
<section><h2>What happened</h2><p>${prose(cause)}</p></section>
<section><h2>What to do</h2><p>${prose(remedy)}</p></section>
<section><h2>The answer</h2><pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre></section>
${
  given.length > 0 &&
  html`<section><h2>Who can give it</h2><ul class="codes">${given.map(
    operation => html`<li><a href="/docs#${anchorOf(operation)}"><code>${operation.id}</code></a></li>`,
  )}</ul></section>`
}
</article>`;
}
