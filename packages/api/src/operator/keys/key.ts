import { KEY_SCOPES, type KeyRecord } from '@compliance/store';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { choice, textField } from '../../pages/field.ts';
import { fieldsOf } from '../../pages/form.ts';
import type { Html } from '../../pages/page.ts';
import { line } from '../../pages/text.ts';
import { moment } from '../../pages/time.ts';
import { changeOf, type OperatorContext, type OperatorDeps, type OperatorEnv } from '../context.ts';
import { answer, formToken, say } from '../layout.ts';
import { keyFacts, keyName, keyRows, MAX_NOTE, SCOPES, shownOnce, statusBadge } from './parts.ts';
import { USAGE_DAYS, usageChart } from './usage.ts';

const OVERLAPS = {
  '24h': '24 hours',
  '1h': 'one hour',
  '7d': '7 days',
  now: 'not at all: end it now',
} as const;

/** What was just done, by the word in the page's address. */
const DONE: Record<string, string> = { saved: 'Saved.', revoked: 'Revoked. The key no longer works.' };

const editForm = z.object({ scope: z.enum(KEY_SCOPES), note: line(MAX_NOTE) });
const rotateForm = z.object({ overlap: z.enum(Object.keys(OVERLAPS) as [keyof typeof OVERLAPS]) });

/** One key: what it is, how it was used, and what can be done with it. */
export function keyPage(app: Hono<OperatorEnv>, { store, clock }: OperatorDeps): void {
  app.get('/operator/keys/:id', async c => {
    const keys = await store.keys.list({ includeEnded: true });
    const key = keys.find(({ id }) => id === c.req.param('id'));
    if (!key) {
      const text = 'No key has this id. Search the list, ended keys included.';
      return await say(c, { title: 'No such key', text, section: 'keys', status: 404 });
    }
    const usage = await store.usage.daily({ keyId: key.id, days: USAGE_DAYS });
    const family = keys.filter(({ id, family }) => family === key.family && id !== key.id);
    const body = html`<div class="heading">
<p class="crumb"><a href="/operator/keys">← Keys</a></p>
<h1 class="mono">${keyName(key)}</h1>
<p>${statusBadge(key)} ${end(key)}</p></div>
${Object.keys(DONE).map(word => c.req.query(word) !== undefined && html`<p class="notice good" role="status">${DONE[word]}</p>`)}
<section class="card"><h2>Key</h2><p>${key.note || html`<span class="quiet">No note</span>`}</p>${keyFacts(key)}
<p class="small quiet mono">${key.id}</p></section>
<section class="card"><h2>Use, ${USAGE_DAYS} days</h2>${usageChart(usage, clock())}</section>
<div class="columns">${editSection(c, key)}${key.status === 'active' && rotateSection(c, key)}</div>
${(key.status === 'active' || key.status === 'expiring') && revokeSection(c, key)}
${
  family.length > 0 &&
  html`<section class="heading"><h2>Same family</h2>
<p class="lead">What this key came from or was rotated into. They share one limit.</p>${keyRows(family)}</section>`
}`;
    return await answer(c, { title: `Key ${keyName(key)}`, section: 'keys', body });
  });

  app.post('/operator/keys/:id/edit', async c => {
    const form = editForm.safeParse(await fieldsOf(c));
    if (!form.success) {
      const text = `Choose a scope, and keep the note to ${MAX_NOTE} characters. Nothing was changed.`;
      return await say(c, { title: 'The form is not complete', text, section: 'keys', status: 400 });
    }
    const { id } = await store.keys.update(c.req.param('id'), { ...form.data, ...changeOf(c) });
    return c.redirect(`/operator/keys/${id}?saved`, 303);
  });

  app.post('/operator/keys/:id/rotate', async c => {
    const form = rotateForm.safeParse(await fieldsOf(c));
    if (!form.success) {
      const text = 'Choose how long the old key keeps working. Nothing was changed.';
      return await say(c, { title: 'The form is not complete', text, section: 'keys', status: 400 });
    }
    const { overlap } = form.data;
    const { key, record } = await store.keys.rotate(c.req.param('id'), { overlap, ...changeOf(c) });
    const old = overlap === 'now' ? 'The old key has ended.' : `The old key works for ${OVERLAPS[overlap]} more.`;
    const body = shownOnce('Key rotated', 'keys', { key, record }, html`<p>${old}</p>`);
    return await answer(c, { title: 'Key rotated', section: 'keys', body });
  });

  app.post('/operator/keys/:id/revoke', async c => {
    const { id } = await store.keys.revoke(c.req.param('id'), changeOf(c));
    return c.redirect(`/operator/keys/${id}?revoked`, 303);
  });
}

function end({ status, expiresAt, revokedAt }: KeyRecord): Html | null {
  if (revokedAt !== null) return html`<span class="quiet">since ${moment(revokedAt)}</span>`;
  if (expiresAt === null) return null;
  return html`<span class="quiet">${status === 'expired' ? 'since' : 'works until'} ${moment(expiresAt)}</span>`;
}

function editSection(c: OperatorContext, { id, scope, note }: KeyRecord): Html {
  return html`<section class="card"><h2>Note and scope</h2>
<form method="post" action="/operator/keys/${id}/edit">${formToken(c)}
${textField({ name: 'note', label: 'Note', value: note, maxLength: MAX_NOTE, hint: 'delegate:on in it opens the beta gate.' })}
${choice({ name: 'scope', label: 'Scope', options: SCOPES, chosen: scope })}
<button>Save</button></form></section>`;
}

function rotateSection(c: OperatorContext, { id }: KeyRecord): Html {
  return html`<section class="card"><h2>Rotate</h2>
<p class="quiet">Issues a successor with the same scope, note and limit. Both work until the old one expires.</p>
<form method="post" action="/operator/keys/${id}/rotate">${formToken(c)}
${choice({ name: 'overlap', label: 'The old key keeps working for', options: OVERLAPS, chosen: '24h' })}
<button>Rotate key</button></form></section>`;
}

function revokeSection(c: OperatorContext, { id }: KeyRecord): Html {
  return html`<details class="card"><summary class="bad">Revoke this key</summary>
<form method="post" action="/operator/keys/${id}/revoke">${formToken(c)}
<p>It stops working at once, and nothing brings it back. Rotate instead if its holder still needs one.</p>
<button class="danger">Revoke key now</button></form></details>`;
}
