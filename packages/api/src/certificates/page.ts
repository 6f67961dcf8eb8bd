import type { CertificateRecord } from '@compliance/core/entry';
import type { Certificate, Store } from '@compliance/store';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { pageHeaders } from '../pages/guard.ts';
import { type Html, page } from '../pages/page.ts';
import { moment } from '../pages/time.ts';
import type { CertificateDeps } from './issuer.ts';
import { CERTIFICATE_PATH } from './paths.ts';

const STATUS: Record<Certificate['status'], { word: string; tone: string; lead: string }> = {
  valid: { word: 'Valid', tone: 'good', lead: 'This certificate was issued here and has not been withdrawn.' },
  void: { word: 'Void', tone: 'bad', lead: 'This certificate was withdrawn. Do not rely on it.' },
  superseded: { word: 'Superseded', tone: 'warn', lead: 'Another certificate took the place of this one.' },
};

/** A certificate that lacks something is no certificate in force, whatever its standing. */
const DRAFT = { word: 'Draft', tone: 'warn', lead: 'This draft was issued here and has not been withdrawn.' };

/**
 * `GET /gcc/{id}`, the address that is printed on a certificate and in its QR code: whether it holds, since when, and a
 * fresh link to the PDF. Anyone who has the certificate can read it; it is not indexed.
 */
export function verificationPages(store: Store, { links, baseUrl }: CertificateDeps, clock: () => number): Hono {
  const app = new Hono();
  app.use(CERTIFICATE_PATH, pageHeaders(baseUrl));
  app.get(CERTIFICATE_PATH, async c => {
    c.header('X-Robots-Tag', 'noindex');
    const certificate = await store.certificates.get(c.req.param('id'));
    if (!certificate) return c.html(await page({ title: 'No such certificate', home: '/', body: missing() }), 404);
    const { path } = links.sign(certificate, clock());
    return c.html(await page({ title: 'General Certificate of Conformity', home: '/', body: body(certificate, path) }));
  });
  return app;
}

function missing(): Html {
  return html`<div class="narrow"><div class="heading"><h1>No such certificate</h1>
<p class="lead">No certificate with this number was issued here. Check the address against the one that is printed on it.</p></div></div>`;
}

function body(certificate: Certificate, download: string): Html {
  const { request, rules, certifying_party, completeness }: CertificateRecord = JSON.parse(certificate.record);
  const draft = completeness.status === 'incomplete';
  const { word, tone, lead } = draft && certificate.status === 'valid' ? DRAFT : STATUS[certificate.status];
  const product = request.product_info;
  return html`<div class="narrow">
<div class="heading"><p><span class="badge ${tone}">${word}</span></p><h1>General Certificate of Conformity</h1>
<p class="lead">${lead}</p></div>
${ended(certificate)}
${draft && gaps(completeness)}
<section class="card" aria-label="The certificate"><dl class="facts">
<div><dt>Product</dt><dd>${product.name}${product.model !== undefined && html`, model ${product.model}`}${product.sku !== undefined && html`, SKU ${product.sku}`}</dd></div>
<div><dt>Rules cited</dt><dd>${rules.map((rule, at) => html`${at > 0 && html`<br>`}${rule.citation}${rule.subject !== null && html`, ${rule.subject}`}`)}</dd></div>
<div><dt>Certified by</dt><dd>${certifying_party?.name ?? 'not provided'}</dd></div>
<div><dt>Manufactured</dt><dd>${product.date_of_manufacture}, ${product.place_of_manufacture}</dd></div>
<div><dt>Issued</dt><dd>${moment(certificate.createdAt)}</dd></div>
<div><dt>Number</dt><dd class="mono">${certificate.id}</dd></div>
<div><dt>SHA-256 of the PDF</dt><dd class="mono">${certificate.sha256}</dd></div>
</dl>
${certificate.status === 'valid' && html`<p><a class="button" href="${download}">Download the PDF</a></p>`}
</section>
</div>`;
}

function gaps({ missing }: CertificateRecord['completeness']): Html {
  return html`<div class="notice warn"><p>16 CFR 1110.11 asks for more than it provides:</p>
<ul>${missing.map(({ message }) => html`<li>${message}</li>`)}</ul></div>`;
}

function ended({ voidedAt, voidReason, supersededBy }: Certificate): Html {
  if (voidedAt !== null && voidReason !== null) {
    return html`<div class="notice bad"><p>Withdrawn on ${moment(voidedAt)}. Reason: ${voidReason}</p></div>`;
  }
  if (supersededBy === null) return html``;
  return html`<div class="notice warn"><p>The certificate in force is <a href="/gcc/${supersededBy}">${supersededBy}</a>.</p></div>`;
}
