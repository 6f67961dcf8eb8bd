import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type Html, page } from '../../pages/page.ts';
import type { OperatorContext } from './context.ts';

/**
 * The sections of the operator pages, in navigation order. To add a section, add its title to `SECTIONS`, create a file
 * for its page, and register the page in `operatorPages`.
 */
const SECTIONS = {
  keys: 'Keys',
  waitlist: 'Waitlist',
  certificates: 'Certificates',
  lists: 'Lists',
  audit: 'Audit log',
} as const;

/** A section of the operator pages. */
export type OperatorSection = keyof typeof SECTIONS;

interface OperatorPage {
  title: string;
  body: Html;
  section?: OperatorSection;
  status?: ContentfulStatusCode;
}

/** Renders a page in the operator layout, with navigation and a sign-out button if the operator is signed in. */
export async function renderPage(c: OperatorContext, { title, body, section, status = 200 }: OperatorPage) {
  const navigation =
    c.get('session') &&
    html`<nav class="tabs" aria-label="Operator">
${Object.entries(SECTIONS).map(
  ([path, label]) => html`<a href="/operator/${path}"${path === section && html` aria-current="page"`}>${label}</a>`,
)}
</nav>
<form method="post" action="/operator/sign-out">${csrfToken(c)}<button>Sign out</button></form>`;
  return c.html(await page({ title, body, navigation, home: '/operator' }), status);
}

/** Renders the hidden CSRF token field, which all forms in a session require. See `session.ts`. */
export function csrfToken(c: OperatorContext): Html {
  return html`<input type="hidden" name="form_token" value="${c.get('session')?.csrfToken ?? ''}">`;
}

/** Renders a page with a message and a link back to a section. */
export async function renderMessage(
  c: OperatorContext,
  message: { title: string; text: string; section?: OperatorSection; status: ContentfulStatusCode },
) {
  const { title, text, section = 'keys' } = message;
  const body = html`<div class="narrow"><div class="heading"><h1>${title}</h1><p class="lead">${text}</p></div>
<p><a class="button" href="/operator/${section}">Back to ${SECTIONS[section]}</a></p></div>`;
  return await renderPage(c, { ...message, body });
}
