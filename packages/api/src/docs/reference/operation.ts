import { ERRORS } from '@compliance/contract/errors';
import { html } from 'hono/html';
import { describeScopes } from '../../openapi/describe-scopes.ts';
import { errorCodesOf, KEY_ERROR_STATUSES } from '../../openapi/document.ts';
import type { Html } from '../../pages/page.ts';
import { prose } from '../../pages/prose.ts';
import { type ExampleCall, requiresKey } from '../snippets/call.ts';
import { LANGUAGES } from '../snippets/snippets.ts';
import { type SchemaField, schemaFields } from './fields.ts';
import { tryForm } from './try-form.ts';

/** Returns an operation's anchor on the reference page. */
export function anchorOf({ id, path }: ExampleCall['operation']): string {
  return `${path.split('/')[2]}-${id.replaceAll('.', '-')}`;
}

/** Renders an operation's section: description, snippets, request, response, and errors. */
export function operationSection(operation: ExampleCall['operation']): Html {
  const { summary, description, method, path, scope, params, request, response, examples } = operation;
  const anchor = anchorOf(operation);
  const { params: values, ...example } = examples[0]!;
  const call: ExampleCall = {
    operation,
    request: example.request as Record<string, unknown>,
    ...(values && { params: values as Record<string, unknown> }),
  };
  const codes = errorCodesOf(operation, requiresKey(call) ? KEY_ERROR_STATUSES : []);
  return html`<section class="card operation" id="${anchor}" aria-labelledby="${anchor}-name">
<div class="heading"><h3 id="${anchor}-name">${summary}</h3>
<p class="endpoint"><span class="badge">${method.toUpperCase()}</span> <code>${path}</code></p>
<p>${prose(description)}</p>
<p class="small quiet">${scope === undefined ? "Doesn't require an API key. This operation is unstable: its response can change at any time." : prose(scope === 'any' ? "Requires an API key with the scope of the job's operation." : `Requires an API key with the ${describeScopes(scope)}.`)}</p></div>
<div class="snippets">${Object.entries(LANGUAGES).map(([language, write]) => snippet(anchor, language, write(call)))}</div>
${tryForm(anchor, call)}
${params && html`<div><h4>Path</h4>${fieldList(schemaFields(params))}</div>`}
<div><h4>Request</h4>${fieldList(schemaFields(request))}</div>
<div><h4>Response</h4>${fieldList(schemaFields(response))}</div>
<div><h4>Errors</h4>
<ul class="codes">${codes.map(code => html`<li><a href="/docs/errors/${code}"><code>${ERRORS[code].status} ${code}</code></a></li>`)}</ul></div>
</section>`;
}

/** Renders a collapsible snippet. The snippets share a `name` attribute, so the browser keeps only one snippet open. */
function snippet(anchor: string, language: string, code: string): Html {
  return html`<details name="${anchor}-snippet"${language === 'curl' && html` open`}><summary>${language}</summary>
<pre tabindex="0" aria-label="${language}"><code>${code}</code></pre></details>
`;
}

function fieldList(fields: readonly SchemaField[]): Html {
  return html`<ul class="fields">${fields.map(
    ({ name, type, values, required, description, fields, sameAs }) => html`<li>
<p><code class="name">${name}</code> <span class="small quiet">${type}${!required && ', optional'}</span></p>
${description !== '' && html`<p class="small">${prose(description)}</p>`}
${values.length > 0 && html`<p class="small values">${values.map(value => html`<code>${value}</code> `)}</p>`}
${sameAs !== null && html`<p class="small quiet">Same fields as <code>${sameAs}</code>.</p>`}
${fields.length > 0 && html`<details><summary>${fields.length === 1 ? '1 field' : `${fields.length} fields`} in <code>${name}</code></summary>${fieldList(fields)}</details>`}
</li>`,
  )}</ul>`;
}
