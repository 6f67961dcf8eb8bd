import { hasDelegateAccess, KEY_SCOPES, type KeyRecord } from '@compliance/store';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { selectField, textField } from '../../pages/field.ts';
import { readForm } from '../../pages/form.ts';
import { singleLine } from '../../pages/text.ts';
import { changeOf, type OperatorContext, type OperatorDeps, type OperatorEnv } from '../shared/context.ts';
import { csrfToken, renderMessage, renderPage } from '../shared/layout.ts';
import { issuedKeyBody, keyRows, MAX_NOTE, SCOPES } from './components.ts';
import { USAGE_DAYS, usageChart } from './usage.ts';

/** Number of keys per page. */
const PAGE = 100;

/** How long the service remembers a submitted form so that reloading the page doesn't issue another key. */
const RESUBMISSION_MS = 12 * 3_600_000;

const issueForm = z.object({
  scope: z.enum(KEY_SCOPES),
  note: singleLine(MAX_NOTE),
  delegate: z.literal('on').optional(),
  once: z.string().regex(/^[\w-]{1,64}$/),
});

/** Adds the page that lists keys, with a search form and a form to issue a key. */
export function keysPage(app: Hono<OperatorEnv>, { store, clock }: OperatorDeps): void {
  app.get('/operator/keys', async c => {
    const [search, ended] = [c.req.query('q')?.trim() ?? '', c.req.query('ended') !== undefined];
    const [keys, usage] = await Promise.all([
      store.keys.list({ includeEnded: true }),
      store.usage.daily({ days: USAGE_DAYS }),
    ]);
    const found = keys.filter(key => (ended || isWorking(key)) && matches(key, search));
    const hidden = keys.filter(key => !isWorking(key) && matches(key, search)).length;
    const body = html`<div class="heading"><h1>Keys</h1>
<p class="lead">Each key is shown only once, when it's issued or rotated. The service stores only a hash of each key.</p></div>
<details class="card"${keys.length === 0 && html` open`}><summary>Issue a key</summary>${issueFields(c)}</details>
<form class="line" method="get" action="/operator/keys" role="search">
${textField({ name: 'q', label: 'Search', type: 'search', value: search, hint: 'Search by note, scope, status, ID, prefix, or last four characters.' })}
${ended && html`<input type="hidden" name="ended" value="">`}
<button class="plain">Search</button>
</form>
<section class="heading" aria-labelledby="found">
<div class="between"><h2 id="found">${heading(found.length, search)}</h2>
${hidden > 0 && html`<a href="/operator/keys?${query(search, !ended)}">${ended ? 'Hide inactive keys' : `Show inactive keys (${hidden})`}</a>`}</div>
${found.length === 0 ? html`<p class="empty">${search === '' ? 'No active keys.' : 'No keys match your search.'}</p>` : keyRows(found.slice(0, PAGE))}
${found.length > PAGE && html`<p class="quiet">Showing the newest ${PAGE} keys. Search to find older keys.</p>`}
</section>
<section class="card"><h2>Usage across all keys in the last ${USAGE_DAYS} days</h2>${usageChart(usage, clock())}</section>`;
    return await renderPage(c, { title: 'Keys', section: 'keys', body });
  });

  app.post('/operator/keys', async c => {
    const form = issueForm.safeParse(await readForm(c));
    if (!form.success) {
      const text = `Select a scope, and use at most ${MAX_NOTE} characters in the note. No key was issued.`;
      return await renderMessage(c, { title: 'The form has invalid fields', text, section: 'keys', status: 400 });
    }
    const { scope, note, delegate, once } = form.data;
    const { allowed } = await store.attempts.take(`issue ${once}`, { quota: 1, windowMs: RESUBMISSION_MS });
    if (!allowed) {
      const text = "This key was already shown and can't be shown again. If the key is lost, rotate it.";
      return await renderMessage(c, { title: 'This form was already submitted', text, section: 'keys', status: 409 });
    }
    const full = delegate === 'on' && !hasDelegateAccess(note) ? `${note} delegate:on`.trim() : note;
    const { key, record } = await store.keys.issue({ scope, note: full, ...changeOf(c) });
    return await renderPage(c, {
      title: 'Key issued',
      section: 'keys',
      body: issuedKeyBody('Key issued', 'keys', { key, record }),
    });
  });
}

function issueFields(c: OperatorContext) {
  return html`<form method="post" action="/operator/keys">
${csrfToken(c)}<input type="hidden" name="once" value="${crypto.randomUUID()}">
${selectField({ name: 'scope', label: 'Scope', options: SCOPES, chosen: 'all' })}
${textField({ name: 'note', label: 'Note', maxLength: MAX_NOTE, hint: "For example, the key owner's name." })}
<label class="check"><input type="checkbox" name="delegate" value="on"> <span>Grant delegate access (adds <code>delegate:on</code> to the note)</span></label>
<button>Issue key</button>
</form>`;
}

function isWorking({ status }: KeyRecord): boolean {
  return status === 'active' || status === 'expiring';
}

function matches({ id, note, scope, status, prefix, last4 }: KeyRecord, search: string): boolean {
  const text = `${id} ${note} ${scope} ${status} ${prefix} ${last4}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
}

function heading(count: number, search: string): string {
  const keys = `${count} ${count === 1 ? 'key' : 'keys'}`;
  return search === '' ? keys : `${keys} for “${search}”`;
}

function query(search: string, ended: boolean): string {
  return new URLSearchParams({ ...(search !== '' && { q: search }), ...(ended && { ended: '' }) }).toString();
}
