import { type CertificateRecord, printedDate, readRecord } from '@compliance/core/entry';
import type { Certificate, Store } from '@compliance/store';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { type Html, page } from '../pages/page.ts';
import { pageHeaders } from '../pages/security.ts';
import { dateTime } from '../pages/time.ts';
import type { CertificateDeps } from './issuer.ts';
import { CERTIFICATE_PATH } from './paths.ts';

const STATUS: Record<Certificate['status'], { label: string; tone: string; lead: string }> = {
  valid: {
    label: 'Complete',
    tone: 'good',
    lead: "This service issued the certificate and hasn't voided it. We didn't verify its contents.",
  },
  void: { label: 'Voided', tone: 'bad', lead: "This certificate was voided, so don't rely on it." },
  superseded: { label: 'Superseded', tone: 'warn', lead: 'This certificate was superseded by a newer one.' },
};

/** An incomplete certificate is shown as a draft, even if its status is `valid`. */
const DRAFT = {
  label: 'Draft',
  tone: 'warn',
  lead: "This service issued the draft and hasn't voided it. A draft isn't a complete certificate.",
};

/**
 * Creates the verification page `GET /gcc/{id}`, whose URL is printed on the certificate and in its QR code. The page shows the
 * certificate status and a new link to the PDF. Anyone who has the certificate can open the page, but search engines don't
 * index it.
 */
export function verificationPages(store: Store, { links, baseUrl }: CertificateDeps, clock: () => number): Hono {
  const app = new Hono();
  app.use(CERTIFICATE_PATH, pageHeaders(baseUrl));
  app.get(CERTIFICATE_PATH, async c => {
    c.header('X-Robots-Tag', 'noindex');
    const certificate = await store.certificates.get(c.req.param('id'));
    if (!certificate) return c.html(await page({ title: 'Certificate not found', home: '/', body: notFound() }), 404);
    const { path } = links.sign(certificate, clock());
    return c.html(await page({ title: 'General Certificate of Conformity', home: '/', body: body(certificate, path) }));
  });
  return app;
}

function notFound(): Html {
  return html`<div class="narrow"><div class="heading"><h1>Certificate not found</h1>
<p class="lead">We didn't issue a certificate with this number. Make sure that the URL matches the one printed on the certificate.</p></div></div>`;
}

function body(certificate: Certificate, download: string): Html {
  const { request, rules, certifying_party, completeness } = readRecord(certificate.record);
  const draft = completeness.status === 'incomplete';
  const { label, tone, lead } = draft && certificate.status === 'valid' ? DRAFT : STATUS[certificate.status];
  const product = request.product_info;
  return html`<div class="narrow">
<div class="heading"><p><span class="badge ${tone}">${label}</span></p><h1>General Certificate of Conformity</h1>
<p class="lead">${lead}</p></div>
${endNotice(certificate)}
${draft && incompleteNotice(completeness)}
<section class="card" aria-label="Certificate"><dl class="facts">
<div><dt>Product</dt><dd>${product.name}${product.model !== undefined && html`, model ${product.model}`}${product.sku !== undefined && html`, SKU ${product.sku}`}</dd></div>
<div><dt>Rules cited</dt><dd>${rules.map((rule, at) => html`${at > 0 && html`<br>`}${rule.citation}${rule.subject !== null && html`, ${rule.subject}`}`)}</dd></div>
<div><dt>Certifier, as stated</dt><dd>${certifying_party?.name ?? 'not provided'}</dd></div>
<div><dt>Manufactured</dt><dd>${printedDate(product.date_of_manufacture)}, ${product.place_of_manufacture}</dd></div>
<div><dt>Issued</dt><dd>${dateTime(certificate.createdAt)}</dd></div>
<div><dt>Certificate number</dt><dd class="mono">${certificate.id}</dd></div>
<div><dt>PDF SHA-256 hash</dt><dd class="mono">${certificate.sha256}</dd></div>
</dl>
<p class="small quiet">A PDF with this hash is unchanged since it was issued. The certifier is responsible for the contents of the certificate.</p>
${certificate.status === 'valid' && html`<p><a class="button" href="${download}">Download PDF</a></p>`}
</section>
</div>`;
}

function incompleteNotice({ missing, contradictions }: CertificateRecord['completeness']): Html {
  const list = (items: readonly { message: string }[]) =>
    html`<ul>${items.map(({ message }) => html`<li>${message}</li>`)}</ul>`;
  return html`<div class="notice warn">${missing.length > 0 && html`<p>16 CFR 1110.11 requires additional information:</p>${list(missing)}`}
${contradictions.length > 0 && html`<p>Some statements can't be correct:</p>${list(contradictions)}`}</div>`;
}

function endNotice({ voidedAt, voidReason, supersededBy }: Certificate): Html {
  if (voidedAt !== null && voidReason !== null) {
    return html`<div class="notice bad"><p>Voided on ${dateTime(voidedAt)}. Reason: ${voidReason}</p></div>`;
  }
  if (supersededBy === null) return html``;
  return html`<div class="notice warn"><p>The current certificate is <a href="/gcc/${supersededBy}">${supersededBy}</a>.</p></div>`;
}
