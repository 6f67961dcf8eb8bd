import { KEY_SCOPES, type WaitlistRequest, type WaitlistStatus } from '@compliance/store';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { selectField } from '../pages/field.ts';
import { readForm } from '../pages/form.ts';
import type { Html } from '../pages/page.ts';
import { dateTime } from '../pages/time.ts';
import { issuedKeyBody, SCOPES } from './keys/components.ts';
import { changeOf, type OperatorContext, type OperatorDeps, type OperatorEnv } from './shared/context.ts';
import { csrfToken, renderMessage, renderPage } from './shared/layout.ts';

/** Number of requests per page. */
const PAGE = 50;

const LISTS: Record<WaitlistStatus, string> = { waiting: 'Waiting', approved: 'Approved', declined: 'Declined' };

const approveForm = z.object({ scope: z.enum(KEY_SCOPES), delegate: z.literal('on').optional() });

/** Adds the waitlist page, where the operator approves or declines requests for API keys. */
export function waitlistPage(app: Hono<OperatorEnv>, { store }: OperatorDeps): void {
  app.get('/operator/waitlist', async c => {
    const filter = c.req.query('status');
    const status = filter === 'approved' || filter === 'declined' ? filter : 'waiting';
    const [requests, counts] = await Promise.all([
      store.waitlist.list({ status, limit: PAGE }),
      store.waitlist.counts(),
    ]);
    const body = html`<div class="heading"><h1>Waitlist</h1>
<p class="lead">Requests for closed beta keys, submitted through the <a href="/beta">public form</a>. Founding-tier customers are eligible for a key immediately, and their waiting requests are listed first.</p></div>
<nav class="filters" aria-label="Requests">${Object.entries(LISTS).map(
      ([name, label]) =>
        html`<a href="/operator/waitlist?status=${name}"${name === status && html` aria-current="page"`}>${label}&nbsp;<span class="quiet">${counts[name as WaitlistStatus]}</span></a>`,
    )}</nav>
${
  requests.length === 0
    ? html`<p class="empty">${status === 'waiting' ? 'No requests are waiting.' : `No ${status} requests yet.`}</p>`
    : html`<ul class="rows">${requests.map(request => row(c, request))}</ul>`
}
${counts[status] > PAGE && html`<p class="quiet">Showing ${PAGE} of ${counts[status]} requests.</p>`}`;
    return await renderPage(c, { title: 'Waitlist', section: 'waitlist', body });
  });

  app.post('/operator/waitlist/:id/founding', async c => {
    const { founding } = await readForm(c);
    await store.waitlist.setFounding(c.req.param('id'), { founding: founding === 'on', ...changeOf(c) });
    return c.redirect('/operator/waitlist', 303);
  });

  app.post('/operator/waitlist/:id/approve', async c => {
    const form = approveForm.safeParse(await readForm(c));
    if (!form.success) {
      const text = "The request wasn't approved. Select a scope for the key.";
      return await renderMessage(c, { title: 'The form has invalid fields', text, section: 'waitlist', status: 400 });
    }
    const { scope, delegate } = form.data;
    const id = c.req.param('id');
    const { key, record } = await store.waitlist.approve(id, { scope, delegate: delegate === 'on', ...changeOf(c) });
    const { company, email } = await store.waitlist.find(id);
    const more = html`<p>For <strong>${company}</strong>, <span class="mono">${email}</span>.</p>`;
    const body = issuedKeyBody('Request approved and key issued', 'waitlist', { key, record }, more);
    return await renderPage(c, { title: 'Request approved', section: 'waitlist', body });
  });

  app.post('/operator/waitlist/:id/decline', async c => {
    await store.waitlist.decline(c.req.param('id'), changeOf(c));
    return c.redirect('/operator/waitlist', 303);
  });
}

function row(c: OperatorContext, request: WaitlistRequest): Html {
  const { id, company, useCase, expectedVolume, email, founding, askedAt, sameEmail, status } = request;
  return html`<li>
<div class="between"><h2>${company}</h2>${founding && html`<span class="badge good">Founding tier</span>`}</div>
<p class="prose">${useCase}</p>
<dl class="facts wide">
<div><dt>Expected volume</dt><dd>${expectedVolume}</dd></div>
<div><dt>Email</dt><dd class="mono">${email}${sameEmail > 1 && html` <span class="badge warn">${sameEmail} requests</span>`}</dd></div>
<div><dt>Requested</dt><dd>${dateTime(askedAt)}</dd></div>
</dl>
${status === 'waiting' ? decisionForms(c, id, founding) : decision(request)}
</li>`;
}

function decision({ status, decidedAt, keyId }: WaitlistRequest): Html {
  return html`<p class="quiet">${LISTS[status]}${decidedAt !== null && html` on ${dateTime(decidedAt)}`}${keyId && html`. <a href="/operator/keys/${keyId}">View key</a>`}</p>`;
}

function decisionForms(c: OperatorContext, id: string, founding: boolean): Html {
  const path = `/operator/waitlist/${id}`;
  return html`<div class="actions">
<details><summary>Approve</summary>
<form method="post" action="${path}/approve">${csrfToken(c)}
${selectField({ name: 'scope', id: `scope-${id}`, label: 'Key scope', options: SCOPES, chosen: 'all' })}
${
  founding
    ? html`<p class="hint"><code>delegate:on</code> is automatically added to a founding-tier key's note.</p>`
    : html`<label class="check"><input type="checkbox" name="delegate" value="on"> <span>Grant delegate access (adds <code>delegate:on</code> to the note)</span></label>`
}
<button>Approve and issue key</button></form></details>
<details><summary>Decline</summary>
<form method="post" action="${path}/decline">${csrfToken(c)}
<p>Declining a request can't be undone. The requester isn't notified by email.</p>
<button class="danger">Decline request</button></form></details>
<form method="post" action="${path}/founding">${csrfToken(c)}
<input type="hidden" name="founding" value="${founding ? 'off' : 'on'}">
<button class="plain">${founding ? 'Remove from founding tier' : 'Mark as founding tier'}</button></form>
</div>`;
}
