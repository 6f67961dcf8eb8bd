import type { CertificateRecord } from '@compliance/core/entry';
import type { Certificate, KeyRecord } from '@compliance/store';
import { html } from 'hono/html';
import type { Html } from '../../pages/page.ts';
import { dateTime } from '../../pages/time.ts';
import { keyName } from '../keys/components.ts';

const STATUS: Record<Certificate['status'], string> = {
  draft: 'badge warn',
  incomplete: 'badge warn',
  complete: 'badge good',
  superseded: 'badge warn',
  voided: 'badge bad',
};

/** Renders badges for a certificate's status and number of warnings. */
export function statusBadges({ status }: Certificate, { warnings }: CertificateRecord): Html {
  const count = `${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}`;
  return html`<span class="${STATUS[status]}">${status}</span>${warnings.length > 0 && html` <span class="badge">${count}</span>`}`;
}

/** Renders a certificate's main details. */
export function certificateFacts(
  { id, sha256, createdAt, family }: Certificate,
  { request: { product_info: product } }: CertificateRecord,
  keys: readonly KeyRecord[],
): Html {
  return html`<dl class="facts wide">
<div><dt>Model, SKU</dt><dd>${[product.model, product.sku].filter(Boolean).join(', ') || html`<span class="quiet">none</span>`}</dd></div>
<div><dt>Issued</dt><dd>${dateTime(createdAt)}</dd></div>
<div><dt>Key</dt><dd>${keyLink(keys, family)}</dd></div>
</dl>
<p class="small quiet">Certificate ID <a class="mono" href="/gcc/${id}">${id}</a><br>SHA-256 <span class="mono">${sha256}</span></p>`;
}

/** Renders a link to the newest key in the certificate's key family. */
function keyLink(keys: readonly KeyRecord[], family: string): Html {
  const key = keys.find(each => each.family === family);
  if (!key) return html`<span class="mono">${family}</span>`;
  return html`<a class="mono" href="/operator/keys/${key.id}">${keyName(key)}</a>${key.note !== '' && html` <span class="small quiet">${key.note}</span>`}`;
}
