import { html } from 'hono/html';
import type { Html } from './page.ts';

interface Field {
  name: string;
  label: string;
  value?: string | undefined;
  /** Short help text below the label. */
  hint?: string | undefined;
  /** Validation error for the field. */
  error?: string | undefined;
  maxLength?: number;
  required?: boolean;
}

/** Renders a single-line text field with its label, hint, and error. */
export function textField(
  field: Field & { type?: 'text' | 'email' | 'password' | 'search' | 'date'; autocomplete?: string },
): Html {
  const { name, value = '', type = 'text', autocomplete = 'off', maxLength, required } = field;
  return html`<div class="field">
${captions(field)}
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${attributes(field)}${maxLength && html` maxlength="${maxLength}"`}${required && html` required`}>
</div>`;
}

/** Renders a multiline text field with its label, hint, and error. */
export function textArea(field: Field & { rows: number }): Html {
  const { name, value = '', rows, maxLength, required } = field;
  // Browsers drop a line break directly after the opening tag, so the template adds one.
  return html`<div class="field">
${captions(field)}
<textarea id="${name}" name="${name}" rows="${rows}"${attributes(field)}${maxLength && html` maxlength="${maxLength}"`}${required && html` required`}>
${value}</textarea>
</div>`;
}

/** Renders a dropdown. Set `id` if the page has several fields with the same name. */
export function selectField(field: {
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

function captions({ name, label, hint, error }: Field): Html {
  return html`<label for="${name}">${label}</label>${
    hint &&
    html`
<p class="hint" id="${name}-hint">${hint}</p>`
  }${
    error &&
    html`
<p class="error" id="${name}-error">${error}</p>`
  }`;
}

function attributes({ name, hint, error }: Field): Html {
  const describedBy = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return html`${describedBy && html` aria-describedby="${describedBy}"`}${error && html` aria-invalid="true"`}`;
}
