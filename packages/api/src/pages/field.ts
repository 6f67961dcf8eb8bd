import { html } from 'hono/html';
import type { Html } from './page.ts';

interface Field {
  name: string;
  label: string;
  value?: string | undefined;
  /** What to write, in a short sentence. */
  hint?: string | undefined;
  /** What is wrong with what was written. */
  fault?: string | undefined;
  maxLength?: number;
  required?: boolean;
}

/** One line to write on, with its label, hint and fault tied to it. */
export function textField(
  field: Field & { type?: 'text' | 'email' | 'password' | 'search' | 'date'; autocomplete?: string },
): Html {
  const { name, value = '', type = 'text', autocomplete = 'off', maxLength, required } = field;
  return html`<div class="field">
${captions(field)}
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${attributes(field)}${maxLength && html` maxlength="${maxLength}"`}${required && html` required`}>
</div>`;
}

/** Several lines to write on. */
export function textArea(field: Field & { rows: number }): Html {
  const { name, value = '', rows, maxLength, required } = field;
  // A browser drops the first line break after the tag, so that one more keeps the text whole.
  return html`<div class="field">
${captions(field)}
<textarea id="${name}" name="${name}" rows="${rows}"${attributes(field)}${maxLength && html` maxlength="${maxLength}"`}${required && html` required`}>
${value}</textarea>
</div>`;
}

/** One of several values. `id` is needed where a page has several fields of a name. */
export function choice(field: {
  name: string;
  id?: string;
  label: string;
  options: Readonly<Record<string, string>>;
  chosen: string;
}): Html {
  const { name, id = name, label, options, chosen } = field;
  return html`<div class="field">
<label for="${id}">${label}</label>
<select id="${id}" name="${name}">${Object.entries(options).map(
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  )}</select>
</div>`;
}

function captions({ name, label, hint, fault }: Field): Html {
  return html`<label for="${name}">${label}</label>${
    hint &&
    html`
<p class="hint" id="${name}-hint">${hint}</p>`
  }${
    fault &&
    html`
<p class="fault" id="${name}-fault">${fault}</p>`
  }`;
}

function attributes({ name, hint, fault }: Field): Html {
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  return html`${described && html` aria-describedby="${described}"`}${fault && html` aria-invalid="true"`}`;
}
