import { html } from 'hono/html';
import type { Html } from '../../pages/page.ts';
import { type ExampleCall, requiresKey } from '../snippets/call.ts';
import { schemaFields } from './fields.ts';

/**
 * Renders the form for editing and sending an operation's example request. The form is hidden until the page's script
 * runs, because the form doesn't work without the script.
 *
 * @param anchor prefix of the element IDs
 */
export function tryForm(anchor: string, call: ExampleCall): Html {
  const { operation, params = {}, request } = call;
  const { method, path, summary } = operation;
  const fields = [
    ...(operation.params ? schemaFields(operation.params) : []),
    ...(method === 'get' ? schemaFields(operation.request) : []),
  ];
  const values: Record<string, unknown> = { ...params, ...(method === 'get' && request) };
  return html`<details class="try" hidden><summary>Try it</summary>
<form data-method="${method}" data-path="${path}" aria-label="Try it: ${summary}">
${requiresKey(call) && keyField(anchor)}
${fields.map(({ name, required }) => {
  const id = `${anchor}-${name}`;
  return html`<div class="field"><label for="${id}">${name}${!required && ' (optional)'}</label>
<input id="${id}" data-field="${name}" value="${values[name] === undefined ? '' : String(values[name])}" autocomplete="off" spellcheck="false"${required && html` required`}></div>
`;
})}
${
  method === 'post' &&
  html`<div class="field"><label for="${anchor}-body">Request body</label>
<textarea id="${anchor}-body" class="mono" rows="${Math.min(20, JSON.stringify(request, null, 2).split('\n').length + 1)}" spellcheck="false">${JSON.stringify(request, null, 2)}</textarea></div>`
}
<button>Send request</button>
<p class="small quiet">Sends a real request to this service. The request counts toward your rate limit.</p>
<p class="status" role="status"></p>
<pre class="response" tabindex="0" role="region" aria-label="Response" hidden><code></code></pre>
</form></details>`;
}

function keyField(anchor: string): Html {
  const id = `${anchor}-key`;
  return html`<div class="field"><label for="${id}">API key</label>
<input id="${id}" type="password" data-key autocomplete="off" spellcheck="false" required aria-describedby="${id}-hint">
<p class="hint" id="${id}-hint">The key is kept only until you close or reload this page.</p></div>`;
}
