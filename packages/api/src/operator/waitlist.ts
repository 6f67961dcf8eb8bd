import { KEY_SCOPES, type WaitlistRequest, type WaitlistStatus } from '@compliance/store';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { choice } from '../pages/field.ts';
import { fieldsOf } from '../pages/form.ts';
import type { Html } from '../pages/page.ts';
import { moment } from '../pages/time.ts';
import { changeOf, type OperatorContext, type OperatorDeps, type OperatorEnv } from './context.ts';
import { SCOPES, shownOnce } from './keys/parts.ts';
import { answer, formToken, say } from './layout.ts';

/** How many requests one page lists. */
const PAGE = 50;

const LISTS: Record<WaitlistStatus, string> = { waiting: 'Waiting', approved: 'Approved', declined: 'Declined' };

const approveForm = z.object({ scope: z.enum(KEY_SCOPES), delegate: z.literal('on').optional() });

/** Who asked for a key, and what was decided. */
export function waitlistPage(app: Hono<OperatorEnv>, { store }: OperatorDeps): void {
  app.get('/operator/waitlist', async c => {
    const asked = c.req.query('status');
    const status = asked === 'approved' || asked === 'declined' ? asked : 'waiting';
    const [requests, counts] = await Promise.all([
      store.waitlist.list({ status, limit: PAGE }),
      store.waitlist.counts(),
    ]);
    const body = html`<div class="heading"><h1>Waitlist</h1>
<p class="lead">Requests for keys of the closed beta, sent at <a href="/beta">the public form</a>. Customers of the founding tier are eligible at once and come first.</p></div>
<nav class="filters" aria-label="Requests">${Object.entries(LISTS).map(
      ([name, label]) =>
        html`<a href="/operator/waitlist?status=${name}"${name === status && html` aria-current="page"`}>${label}&nbsp;<span class="quiet">${counts[name as WaitlistStatus]}</span></a>`,
    )}</nav>
${
  requests.length === 0
    ? html`<p class="empty">${status === 'waiting' ? 'Nobody is waiting.' : `No request was ${status} yet.`}</p>`
    : html`<ul class="rows">${requests.map(request => row(c, request))}</ul>`
}
${counts[status] > PAGE && html`<p class="quiet">${PAGE} of ${counts[status]} are shown.</p>`}`;
    return await answer(c, { title: 'Waitlist', section: 'waitlist', body });
  });

  app.post('/operator/waitlist/:id/founding', async c => {
    const { founding } = await fieldsOf(c);
    await store.waitlist.setFounding(c.req.param('id'), { founding: founding === 'on', ...changeOf(c) });
    return c.redirect('/operator/waitlist', 303);
  });

  app.post('/operator/waitlist/:id/approve', async c => {
    const form = approveForm.safeParse(await fieldsOf(c));
    if (!form.success) {
      const text = 'Choose a scope for the key. Nothing was decided.';
      return await say(c, { title: 'The form is not complete', text, section: 'waitlist', status: 400 });
    }
    const { scope, delegate } = form.data;
    const id = c.req.param('id');
    const { key, record } = await store.waitlist.approve(id, { scope, delegate: delegate === 'on', ...changeOf(c) });
    const { company, email } = await store.waitlist.find(id);
    const more = html`<p>For <strong>${company}</strong>, <span class="mono">${email}</span>.</p>`;
    const body = shownOnce('Approved, key issued', 'waitlist', { key, record }, more);
    return await answer(c, { title: 'Approved', section: 'waitlist', body });
  });

  app.post('/operator/waitlist/:id/decline', async c => {
    await store.waitlist.decline(c.req.param('id'), changeOf(c));
    return c.redirect('/operator/waitlist', 303);
  });
}

function row(c: OperatorContext, request: WaitlistRequest): Html {
  const { id, company, useCase, expectedVolume, email, founding, askedAt, sameEmail, status } = request;
  return html`<li>
<div class="between"><h2>${company}</h2>${founding && html`<span class="badge good">founding tier</span>`}</div>
<p class="prose">${useCase}</p>
<dl class="facts wide">
<div><dt>Expected volume</dt><dd>${expectedVolume}</dd></div>
<div><dt>E-mail</dt><dd class="mono">${email}${sameEmail > 1 && html` <span class="badge warn">${sameEmail} requests</span>`}</dd></div>
<div><dt>Asked</dt><dd>${moment(askedAt)}</dd></div>
</dl>
${status === 'waiting' ? decide(c, id, founding) : decided(request)}
</li>`;
}

function decided({ status, decidedAt, keyId }: WaitlistRequest): Html {
  return html`<p class="quiet">${LISTS[status]}${decidedAt !== null && html` ${moment(decidedAt)}`}${keyId && html`, <a href="/operator/keys/${keyId}">its key</a>`}.</p>`;
}

function decide(c: OperatorContext, id: string, founding: boolean): Html {
  const path = `/operator/waitlist/${id}`;
  return html`<div class="actions">
<details><summary>Approve</summary>
<form method="post" action="${path}/approve">${formToken(c)}
${choice({ name: 'scope', id: `scope-${id}`, label: 'Scope of the key', options: SCOPES, chosen: 'all' })}
${
  founding
    ? html`<p class="hint">The key gets <code>delegate:on</code>: founding tier.</p>`
    : html`<label class="check"><input type="checkbox" name="delegate" value="on"> <span>Open the beta gate: adds <code>delegate:on</code> to the note</span></label>`
}
<button>Approve and issue key</button></form></details>
<details><summary>Decline</summary>
<form method="post" action="${path}/decline">${formToken(c)}
<p>A decision is final. Nobody is told by e-mail.</p>
<button class="danger">Decline request</button></form></details>
<form method="post" action="${path}/founding">${formToken(c)}
<input type="hidden" name="founding" value="${founding ? 'off' : 'on'}">
<button class="plain">${founding ? 'Not founding tier' : 'Mark as founding tier'}</button></form>
</div>`;
}
