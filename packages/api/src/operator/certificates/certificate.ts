import { type CertificateRecord, hasEnded, readRecord } from '@compliance/core/entry';
import type { Certificate, Store } from '@compliance/store';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { textField } from '../../pages/field.ts';
import { readForm } from '../../pages/form.ts';
import type { Html } from '../../pages/page.ts';
import { singleLine } from '../../pages/text.ts';
import { dateTime } from '../../pages/time.ts';
import { changeOf, type OperatorContext, type OperatorDeps, type OperatorEnv } from '../shared/context.ts';
import { csrfToken, renderMessage, renderPage } from '../shared/layout.ts';
import { certificateFacts, statusBadges } from './components.ts';

/** Maximum length of a reason, in characters. The public certificate page shows the reason. */
const MAX_REASON = 300;

/** Maximum number of predecessors to show on the page. The same limit applies to successors. */
const MAX_HISTORY = 50;

const voidForm = z.object({ reason: singleLine(MAX_REASON).refine(Boolean), confirmed: z.literal('on') });

/**
 * Adds the certificate page, which shows warnings, missing information, contradictions, and history, and has a
 * form to void the certificate.
 */
export function certificatePage(app: Hono<OperatorEnv>, { store }: OperatorDeps): void {
  app.get('/operator/certificates/:id', async c => {
    const certificate = await store.certificates.get(c.req.param('id'));
    if (!certificate) {
      const text = "This certificate ID doesn't exist. Search for the product instead.";
      return await renderMessage(c, { title: 'Certificate not found', text, section: 'certificates', status: 404 });
    }
    const record = readRecord(certificate.record);
    const keys = await store.keys.list({ includeEnded: true });
    const history = await historyOf(certificate, store);
    const body = html`<div class="heading">
<p class="crumb"><a href="/operator/certificates">← Certificates</a></p>
<h1>${record.request.product_info.name}</h1>
<p>${statusBadges(certificate, record)}</p></div>
${c.req.query('voided') !== undefined && certificate.status === 'voided' && html`<p class="notice good" role="status">Certificate voided. The public page now shows the reason, and the PDF is marked as voided.</p>`}
${certificate.voidedAt !== null && html`<div class="notice bad"><p>Voided on ${dateTime(certificate.voidedAt)}. Reason: ${certificate.voidReason}</p></div>`}
<section class="card"><h2>Certificate</h2>${certificateFacts(certificate, record, keys)}
<p><a href="/gcc/${certificate.id}">View public page</a></p></section>
${gaps(record)}
${history.length > 1 && html`<section class="heading"><h2>History</h2><p class="lead">Each certificate supersedes the one below it.</p><ol class="rows">${history.map(each => step(each, certificate))}</ol></section>`}
${!hasEnded(certificate.status) && voidSection(c, certificate)}`;
    return await renderPage(c, {
      title: `Certificate for ${record.request.product_info.name}`,
      section: 'certificates',
      body,
    });
  });

  app.post('/operator/certificates/:id/void', async c => {
    const form = voidForm.safeParse(await readForm(c));
    if (!form.success) {
      const text = `Enter a reason of at most ${MAX_REASON} characters, and select the confirmation checkbox. The certificate wasn't voided.`;
      return await renderMessage(c, {
        title: 'The form has invalid fields',
        text,
        section: 'certificates',
        status: 400,
      });
    }
    const { id } = await store.certificates.void(c.req.param('id'), { reason: form.data.reason, ...changeOf(c) });
    return c.redirect(`/operator/certificates/${id}?voided`, 303);
  });
}

/** Returns the given certificate and its predecessors and successors, newest first. */
async function historyOf(certificate: Certificate, { certificates }: Store): Promise<Certificate[]> {
  async function follow(next: (each: Certificate) => string | null): Promise<Certificate[]> {
    const found: Certificate[] = [];
    for (let last: Certificate | null = certificate; last && found.length < MAX_HISTORY; ) {
      const id: string | null = next(last);
      last = id === null ? null : await certificates.get(id);
      if (last) found.push(last);
    }
    return found;
  }
  const [successors, predecessors] = await Promise.all([
    follow(({ supersededBy }) => supersededBy),
    follow(({ supersedes }) => supersedes),
  ]);
  return [...successors.reverse(), certificate, ...predecessors];
}

function step(each: Certificate, shown: Certificate): Html {
  const record = readRecord(each.record);
  const number =
    each.id === shown.id
      ? html`<span class="mono">${each.id}</span> <span class="quiet">(this certificate)</span>`
      : html`<a class="mono" href="/operator/certificates/${each.id}">${each.id}</a>`;
  return html`<li><div class="between"><p class="small">${number}</p><p>${statusBadges(each, record)}</p></div>
<p class="small quiet">Issued ${dateTime(each.createdAt)}</p></li>`;
}

function gaps({ warnings, completeness: { missing, contradictions } }: CertificateRecord): Html {
  if (warnings.length + missing.length + contradictions.length === 0) {
    return html`<section class="card"><h2>Warnings</h2><p class="quiet">No warnings. The record contains all the information required by 16 CFR 1110.11.</p></section>`;
  }
  return html`<div class="columns">
<section class="card"><h2>Warnings</h2><ul class="changes">${warnings.map(
    ({ code, message, citation }) =>
      html`<li>${message}<br><span class="small quiet">${code}${citation !== null && html`, ${citation}`}</span></li>`,
  )}</ul></section>
<section class="card"><h2>Missing information</h2><ul class="changes">${missing.map(({ message }) => html`<li>${message}</li>`)}</ul></section>
<section class="card"><h2>Contradictions</h2><ul class="changes">${contradictions.map(
    ({ path, code, message, citation }) =>
      html`<li>${message}<br><span class="small quiet">${path}, ${code}, ${citation}</span></li>`,
  )}</ul></section>
</div>`;
}

function voidSection(c: OperatorContext, { id }: Certificate): Html {
  return html`<details class="card"><summary class="bad">Void this certificate</summary>
<form method="post" action="/operator/certificates/${id}/void">${csrfToken(c)}
<p>Voiding a certificate can't be undone. The certificate owner isn't notified. The public page shows the reason.</p>
${textField({ name: 'reason', label: 'Reason', maxLength: MAX_REASON, required: true, hint: 'Shown on the public page. For example: wrong testing laboratory.' })}
<label class="check"><input type="checkbox" name="confirmed" value="on" required> <span>I understand that this is permanent</span></label>
<button class="danger">Void certificate</button></form></details>`;
}
