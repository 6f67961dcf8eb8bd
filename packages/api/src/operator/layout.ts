import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type Html, page } from '../pages/page.ts';
import type { OperatorContext } from './context.ts';

/** The sections of the operator pages, in the order of the navigation. A new one is a line here and its file. */
const SECTIONS = {
  keys: 'Keys',
  waitlist: 'Waitlist',
  certificates: 'Certificates',
  lists: 'Lists',
  audit: 'Audit log',
} as const;

/** A section of the operator pages. */
export type Section = keyof typeof SECTIONS;

interface OperatorPage {
  title: string;
  body: Html;
  section?: Section;
  status?: ContentfulStatusCode;
}

/** Answers with a page in the operator's layout: navigation and sign-out while signed in, neither before. */
export async function answer(c: OperatorContext, { title, body, section, status = 200 }: OperatorPage) {
  const navigation =
    c.get('session') &&
    html`<nav class="tabs" aria-label="Operator">
${Object.entries(SECTIONS).map(
  ([path, label]) => html`<a href="/operator/${path}"${path === section && html` aria-current="page"`}>${label}</a>`,
)}
</nav>
<form method="post" action="/operator/sign-out">${formToken(c)}<button>Sign out</button></form>`;
  return c.html(await page({ title, body, navigation, home: '/operator' }), status);
}

/** The hidden field that every form of a session carries; see `session.ts`. */
export function formToken(c: OperatorContext): Html {
  return html`<input type="hidden" name="form_token" value="${c.get('session')?.formToken ?? ''}">`;
}

/** A page that says what happened and where to go from there. */
export async function say(
  c: OperatorContext,
  said: { title: string; text: string; section?: Section; status: ContentfulStatusCode },
) {
  const body = html`<div class="narrow"><div class="heading"><h1>${said.title}</h1><p class="lead">${said.text}</p></div>
<p><a class="button" href="/operator/${said.section ?? 'keys'}">Back to ${SECTIONS[said.section ?? 'keys']}</a></p></div>`;
  return await answer(c, { ...said, body });
}
