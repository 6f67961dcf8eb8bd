import { html } from 'hono/html';
import { ERRORS } from '../../error-codes.ts';
import { errorCodesOf, KEY_REFUSALS } from '../../openapi/document.ts';
import type { Html } from '../../pages/page.ts';
import { prose } from '../../pages/prose.ts';
import { type Call, keyed } from '../snippets/call.ts';
import { LANGUAGES } from '../snippets/snippets.ts';
import { type Field, fieldsOf } from './fields.ts';

/** The place of an operation on the page. */
export function anchorOf({ id, path }: Call['operation']): string {
  return `${path.split('/')[2]}-${id.replaceAll('.', '-')}`;
}

/** All about one operation: what it does, how to call it, what it takes and gives, what can go wrong. */
export function operationSection(operation: Call['operation']): Html {
  const { summary, description, method, path, scope, request, response, examples } = operation;
  const anchor = anchorOf(operation);
  const call: Call = { operation, request: examples[0]!.request as Record<string, unknown> };
  const codes = errorCodesOf(operation, keyed(call) ? KEY_REFUSALS : []);
  return html`<section class="card operation" id="${anchor}" aria-labelledby="${anchor}-name">
<div class="heading"><h3 id="${anchor}-name">${summary}</h3>
<p class="endpoint"><span class="badge">${method.toUpperCase()}</span> <code>${path}</code></p>
<p>${prose(description)}</p>
<p class="small quiet">${scope === undefined ? 'Needs no key. Unstable: its shape may change.' : prose(`Needs a key for \`${scope}\` or for \`all\`.`)}</p></div>
<div class="snippets">${Object.entries(LANGUAGES).map(([language, write]) => snippet(anchor, language, write(call)))}</div>
<div><h4>Request</h4>${fieldList(fieldsOf(request))}</div>
<div><h4>Answer</h4>${fieldList(fieldsOf(response))}</div>
<div><h4>Errors</h4>
<ul class="codes">${codes.map(code => html`<li><a href="/docs/errors/${code}"><code>${ERRORS[code].status} ${code}</code></a></li>`)}</ul></div>
</section>`;
}

/** One language open, the others a click away; a name that they share has the browser close the one before. */
function snippet(anchor: string, language: string, code: string): Html {
  return html`<details name="${anchor}-snippet"${language === 'curl' && html` open`}><summary>${language}</summary>
<pre tabindex="0" aria-label="${language}"><code>${code}</code></pre></details>
`;
}

function fieldList(fields: readonly Field[]): Html {
  return html`<ul class="fields">${fields.map(
    ({ name, type, values, required, description, fields, sameAs }) => html`<li>
<p><code class="name">${name}</code> <span class="small quiet">${type}${!required && ', may be left out'}</span></p>
${description !== '' && html`<p class="small">${prose(description)}</p>`}
${values.length > 0 && html`<p class="small values">${values.map(value => html`<code>${value}</code> `)}</p>`}
${sameAs !== null && html`<p class="small quiet">The same fields as in <code>${sameAs}</code>.</p>`}
${fields.length > 0 && html`<details><summary>${fields.length === 1 ? '1 field' : `${fields.length} fields`} of <code>${name}</code></summary>${fieldList(fields)}</details>`}
</li>`,
  )}</ul>`;
}
