import { KEY_SCOPES, type KeyRecord } from '@compliance/store';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { selectField, textField } from '../../pages/field.ts';
import { readForm } from '../../pages/form.ts';
import type { Html } from '../../pages/page.ts';
import { singleLine } from '../../pages/text.ts';
import { dateTime } from '../../pages/time.ts';
import { changeOf, type OperatorContext, type OperatorDeps, type OperatorEnv } from '../shared/context.ts';
import { csrfToken, renderMessage, renderPage } from '../shared/layout.ts';
import { issuedKeyBody, keyFacts, keyName, keyRows, MAX_NOTE, SCOPES, statusBadge } from './components.ts';
import { USAGE_DAYS, usageChart } from './usage.ts';

const OVERLAPS = {
  '24h': '24 hours',
  '1h': '1 hour',
  '7d': '7 days',
  now: '0 hours (expires immediately)',
} as const;

/** Confirmation messages, by query parameter. */
const CONFIRMATIONS: Record<string, string> = {
  saved: 'Changes saved.',
  revoked: 'Key revoked. The key no longer works.',
};

const editForm = z.object({ scope: z.enum(KEY_SCOPES), note: singleLine(MAX_NOTE) });
const rotateForm = z.object({ overlap: z.enum(Object.keys(OVERLAPS) as [keyof typeof OVERLAPS]) });

/** Adds the key page with usage and forms to edit, rotate, and revoke the key. */
export function keyPage(app: Hono<OperatorEnv>, { store, clock }: OperatorDeps): void {
  app.get('/operator/keys/:id', async c => {
    const keys = await store.keys.list({ includeEnded: true });
    const key = keys.find(({ id }) => id === c.req.param('id'));
    if (!key) {
      const text = "This key ID doesn't exist. Search all keys, including inactive keys.";
      return await renderMessage(c, { title: 'Key not found', text, section: 'keys', status: 404 });
    }
    const usage = await store.usage.daily({ keyId: key.id, days: USAGE_DAYS });
    const family = keys.filter(({ id, family }) => family === key.family && id !== key.id);
    const body = html`<div class="heading">
<p class="crumb"><a href="/operator/keys">← Keys</a></p>
<h1 class="mono">${keyName(key)}</h1>
<p>${statusBadge(key)} ${endDate(key)}</p></div>
${Object.entries(CONFIRMATIONS).map(([action, text]) => c.req.query(action) !== undefined && html`<p class="notice good" role="status">${text}</p>`)}
<section class="card"><h2>Key</h2><p>${key.note || html`<span class="quiet">No note</span>`}</p>${keyFacts(key)}
<p class="small quiet mono">${key.id}</p></section>
<section class="card"><h2>Usage in the last ${USAGE_DAYS} days</h2>${usageChart(usage, clock())}</section>
<div class="columns">${editSection(c, key)}${key.status === 'active' && rotateSection(c, key)}</div>
${(key.status === 'active' || key.status === 'expiring') && revokeSection(c, key)}
${
  family.length > 0 &&
  html`<section class="heading"><h2>Key family</h2>
<p class="lead">Other keys in this key's rotation history. All keys in a family share one rate limit.</p>${keyRows(family)}</section>`
}`;
    return await renderPage(c, { title: `Key ${keyName(key)}`, section: 'keys', body });
  });

  app.post('/operator/keys/:id/edit', async c => {
    const form = editForm.safeParse(await readForm(c));
    if (!form.success) {
      const text = `Select a scope, and use at most ${MAX_NOTE} characters in the note. No changes were saved.`;
      return await renderMessage(c, { title: 'The form has invalid fields', text, section: 'keys', status: 400 });
    }
    const { id } = await store.keys.update(c.req.param('id'), { ...form.data, ...changeOf(c) });
    return c.redirect(`/operator/keys/${id}?saved`, 303);
  });

  app.post('/operator/keys/:id/rotate', async c => {
    const form = rotateForm.safeParse(await readForm(c));
    if (!form.success) {
      const text = 'Select how long the old key remains active. No changes were saved.';
      return await renderMessage(c, { title: 'The form has invalid fields', text, section: 'keys', status: 400 });
    }
    const { overlap } = form.data;
    const { key, record } = await store.keys.rotate(c.req.param('id'), { overlap, ...changeOf(c) });
    const old = overlap === 'now' ? 'The old key has expired.' : `The old key expires in ${OVERLAPS[overlap]}.`;
    const body = issuedKeyBody('Key rotated', 'keys', { key, record }, html`<p>${old}</p>`);
    return await renderPage(c, { title: 'Key rotated', section: 'keys', body });
  });

  app.post('/operator/keys/:id/revoke', async c => {
    const { id } = await store.keys.revoke(c.req.param('id'), changeOf(c));
    return c.redirect(`/operator/keys/${id}?revoked`, 303);
  });
}

function endDate({ status, expiresAt, revokedAt }: KeyRecord): Html | null {
  if (revokedAt !== null) return html`<span class="quiet">since ${dateTime(revokedAt)}</span>`;
  if (expiresAt === null) return null;
  return html`<span class="quiet">${status === 'expired' ? 'since' : 'until'} ${dateTime(expiresAt)}</span>`;
}

function editSection(c: OperatorContext, { id, scope, note }: KeyRecord): Html {
  return html`<section class="card"><h2>Note and scope</h2>
<form method="post" action="/operator/keys/${id}/edit">${csrfToken(c)}
${textField({ name: 'note', label: 'Note', value: note, maxLength: MAX_NOTE, hint: 'To grant delegate access, add delegate:on to the note.' })}
${selectField({ name: 'scope', label: 'Scope', options: SCOPES, chosen: scope })}
<button>Save</button></form></section>`;
}

function rotateSection(c: OperatorContext, { id }: KeyRecord): Html {
  return html`<section class="card"><h2>Rotate</h2>
<p class="quiet">Rotation issues a new key with the same scope, note, and rate limit. Both keys work until the old key expires.</p>
<form method="post" action="/operator/keys/${id}/rotate">${csrfToken(c)}
${selectField({ name: 'overlap', label: 'Keep the old key active for', options: OVERLAPS, chosen: '24h' })}
<button>Rotate key</button></form></section>`;
}

function revokeSection(c: OperatorContext, { id, status }: KeyRecord): Html {
  return html`<details class="card"><summary class="bad">Revoke this key</summary>
<form method="post" action="/operator/keys/${id}/revoke">${csrfToken(c)}
<p>The key stops working immediately. Revoking a key can't be undone.${status === 'active' && ' If the owner still needs a key, rotate this key instead.'}</p>
<button class="danger">Revoke key</button></form></details>`;
}
