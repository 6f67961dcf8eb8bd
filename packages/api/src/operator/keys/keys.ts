import { KEY_SCOPES, type KeyRecord } from '@compliance/store';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { opensBetaGate } from '../../gates/key.ts';
import { choice, textField } from '../../pages/field.ts';
import { fieldsOf } from '../../pages/form.ts';
import { line } from '../../pages/text.ts';
import { changeOf, type OperatorContext, type OperatorDeps, type OperatorEnv } from '../context.ts';
import { answer, formToken, say } from '../layout.ts';
import { keyRows, MAX_NOTE, SCOPES, shownOnce } from './parts.ts';
import { USAGE_DAYS, usageChart } from './usage.ts';

/** How many keys one page lists. */
const PAGE = 100;

/** How long a sent form is remembered, so that loading the page with the key again issues no second one. */
const SENT_MS = 12 * 3_600_000;

const issueForm = z.object({
  scope: z.enum(KEY_SCOPES),
  note: line(MAX_NOTE),
  delegate: z.literal('on').optional(),
  once: z.string().regex(/^[\w-]{1,64}$/),
});

/** The list of keys, its search, and the form that issues one. */
export function keysPage(app: Hono<OperatorEnv>, { store, clock }: OperatorDeps): void {
  app.get('/operator/keys', async c => {
    const [words, ended] = [c.req.query('q')?.trim() ?? '', c.req.query('ended') !== undefined];
    const [keys, usage] = await Promise.all([
      store.keys.list({ includeEnded: true }),
      store.usage.daily({ days: USAGE_DAYS }),
    ]);
    const found = keys.filter(key => (ended || isWorking(key)) && matches(key, words));
    const hidden = keys.filter(key => !isWorking(key) && matches(key, words)).length;
    const body = html`<div class="heading"><h1>Keys</h1>
<p class="lead">A key is shown once, when it is issued or rotated. The service keeps only its fingerprint.</p></div>
<details class="card"${keys.length === 0 && html` open`}><summary>Issue a key</summary>${issueFields(c)}</details>
<form class="line" method="get" action="/operator/keys" role="search">
${textField({ name: 'q', label: 'Search', type: 'search', value: words, hint: 'Note, scope, status, id, or an end of a key.' })}
${ended && html`<input type="hidden" name="ended" value="">`}
<button class="plain">Search</button>
</form>
<section class="heading" aria-labelledby="found">
<div class="between"><h2 id="found">${heading(found.length, words)}</h2>
${hidden > 0 && html`<a href="/operator/keys?${query(words, !ended)}">${ended ? 'Without ended keys' : `With ended keys (${hidden})`}</a>`}</div>
${found.length === 0 ? html`<p class="empty">${words === '' ? 'No key works at the moment.' : 'No key fits.'}</p>` : keyRows(found.slice(0, PAGE))}
${found.length > PAGE && html`<p class="quiet">The newest ${PAGE} are shown. Search to find the others.</p>`}
</section>
<section class="card"><h2>Use of all keys, ${USAGE_DAYS} days</h2>${usageChart(usage, clock())}</section>`;
    return await answer(c, { title: 'Keys', section: 'keys', body });
  });

  app.post('/operator/keys', async c => {
    const form = issueForm.safeParse(await fieldsOf(c));
    if (!form.success) {
      const text = `Choose a scope, and keep the note to ${MAX_NOTE} characters. No key was issued.`;
      return await say(c, { title: 'The form is not complete', text, section: 'keys', status: 400 });
    }
    const { scope, note, delegate, once } = form.data;
    const { allowed } = await store.attempts.take(`issue ${once}`, { quota: 1, windowMs: SENT_MS });
    if (!allowed) {
      const text = 'Its key was shown then and cannot be shown again. If it is lost, rotate it.';
      return await say(c, { title: 'This form was sent already', text, section: 'keys', status: 409 });
    }
    const full = delegate === 'on' && !opensBetaGate(note) ? `${note} delegate:on`.trim() : note;
    const { key, record } = await store.keys.issue({ scope, note: full, ...changeOf(c) });
    return await answer(c, {
      title: 'Key issued',
      section: 'keys',
      body: shownOnce('Key issued', 'keys', { key, record }),
    });
  });
}

function issueFields(c: OperatorContext) {
  return html`<form method="post" action="/operator/keys">
${formToken(c)}<input type="hidden" name="once" value="${crypto.randomUUID()}">
${choice({ name: 'scope', label: 'Scope', options: SCOPES, chosen: 'all' })}
${textField({ name: 'note', label: 'Note', maxLength: MAX_NOTE, hint: 'Who the key is for. Free text.' })}
<label class="check"><input type="checkbox" name="delegate" value="on"> <span>Open the beta gate: adds <code>delegate:on</code> to the note</span></label>
<button>Issue key</button>
</form>`;
}

function isWorking({ status }: KeyRecord): boolean {
  return status === 'active' || status === 'expiring';
}

function matches({ id, note, scope, status, prefix, last4 }: KeyRecord, words: string): boolean {
  const text = `${id} ${note} ${scope} ${status} ${prefix} ${last4}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
}

function heading(count: number, words: string): string {
  const keys = `${count} ${count === 1 ? 'key' : 'keys'}`;
  return words === '' ? keys : `${keys} for “${words}”`;
}

function query(words: string, ended: boolean): string {
  return new URLSearchParams({ ...(words !== '' && { q: words }), ...(ended && { ended: '' }) }).toString();
}
