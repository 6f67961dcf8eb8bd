import { ERRORS, type ErrorCode } from '@compliance/contract/errors';
import { html } from 'hono/html';
import { errorBody } from '../http/error-response.ts';
import { errorCodesOf, KEY_ERROR_STATUSES } from '../openapi/document.ts';
import { OPERATIONS } from '../operations/operations.gen.ts';
import type { Html } from '../pages/page.ts';
import { prose } from '../pages/prose.ts';
import { V0_OPERATIONS } from '../v0/operations/operations.gen.ts';
import { type DocSection, sectionsHtml, sectionsMarkdown } from './doc-section.ts';
import { ERRORS_INTRODUCTION } from './reference/errors-introduction.ts';
import { anchorOf } from './reference/operation.ts';

/** Additional fields in the example response for each error code. */
const DETAILS: Partial<Record<ErrorCode, object>> = {
  invalid_request: {
    issues: [
      { path: 'codes.0', code: 'INVALID_TYPE', message: 'Send each code as a string. Numbers lose leading zeros.' },
    ],
  },
  scan_failed: { reason: 'unreachable' },
  upstream: { reason: 'http_error' },
};

/** Returns all sections of an error code page except the list of operations. */
function errorSections(code: ErrorCode): DocSection[] {
  const { message, cause, remedy } = ERRORS[code];
  const example = errorBody(code, {
    message,
    detail: DETAILS[code] ?? {},
    requestId: '2f7d4a0e-6a52-4c1c-9d1f-0b6f2f4c8a11',
  });
  return [
    { title: 'What happened', blocks: [{ text: cause }] },
    { title: 'How to fix it', blocks: [{ text: remedy }] },
    { title: 'Example response', blocks: [{ code: JSON.stringify(example, null, 2) }] },
  ];
}

const OPERATIONS_TITLE = 'Operations that can return this error';

function operationsThatReturn(code: ErrorCode): Parameters<typeof anchorOf>[0][] {
  return [
    ...OPERATIONS.filter(operation => errorCodesOf(operation, KEY_ERROR_STATUSES).includes(code)),
    ...V0_OPERATIONS.filter(operation => errorCodesOf(operation, []).includes(code)),
  ];
}

/**
 * Renders an error code page with the cause, the fix, an example response, and the operations that return the error.
 */
export function errorPage(code: ErrorCode): Html {
  const { status, message } = ERRORS[code];
  const operations = operationsThatReturn(code);
  return html`<article class="prose-page">
<div class="heading"><p class="crumb"><a href="/docs#errors">Errors</a></p><h1 class="mono">${code}</h1>
<p class="lead">HTTP ${status}: ${prose(message)}</p></div>
${sectionsHtml(errorSections(code))}${
  operations.length > 0 &&
  html`<section><h2>${OPERATIONS_TITLE}</h2><ul class="codes">${operations.map(
    operation => html`<li><a href="/docs#${anchorOf(operation)}"><code>${operation.id}</code></a></li>`,
  )}</ul></section>`
}
</article>`;
}

/**
 * Renders the error code pages and their index. Returns each page's Markdown, keyed by filename.
 *
 * @example errorsMarkdown()['beta.md'] // '[Errors](README.md)\n\n# `beta`\n…'
 */
export function errorsMarkdown(): Record<string, string> {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const rows = codes.map(code => `- [\`${code}\`](${code}.md) (HTTP ${ERRORS[code].status}): ${ERRORS[code].message}`);
  const index = [
    `# ${ERRORS_INTRODUCTION.title}`,
    ERRORS_INTRODUCTION.text,
    ['```json', ERRORS_INTRODUCTION.example, '```'].join('\n'),
    rows.join('\n'),
  ];
  const pages = codes.map((code): [string, string[]] => {
    const operations = operationsThatReturn(code).map(({ id }) => `\`${id}\``);
    const sections = [
      ...errorSections(code),
      ...(operations.length > 0 ? [{ title: OPERATIONS_TITLE, blocks: [{ list: operations }] }] : []),
    ];
    const { status, message } = ERRORS[code];
    return [code, ['[Errors](README.md)', `# \`${code}\``, `HTTP ${status}: ${message}`, sectionsMarkdown(sections)]];
  });
  return Object.fromEntries(
    [['README', index] as [string, string[]], ...pages].map(([name, parts]) => [
      `${name}.md`,
      `${parts.join('\n\n')}\n`,
    ]),
  );
}
