import { hasDelegateAccess, type IssuedKey, type KeyRecord, type KeyScope } from '@compliance/store';
import { html } from 'hono/html';
import type { Html } from '../../pages/page.ts';
import { dayElement } from '../../pages/time.ts';

/** Maximum length of a key's note, in characters. */
export const MAX_NOTE = 500;

/** Key scope labels. */
export const SCOPES: Record<KeyScope, string> = {
  all: 'all: all product areas',
  tariff: 'tariff: HTS lookups',
  pixel: 'pixel: storefront scans',
  render: 'render: storefront scans and rendering jobs',
  entry: 'entry: certificates',
};

const STATUS: Record<KeyRecord['status'], string> = {
  active: 'badge good',
  expiring: 'badge warn',
  expired: 'badge',
  revoked: 'badge bad',
};

/** Returns a key's display name, which consists of the key's prefix and last four characters. */
export function keyName({ prefix, last4 }: KeyRecord): string {
  return `${prefix}…${last4}`;
}

/** Renders a key's status as a badge. */
export function statusBadge({ status }: KeyRecord): Html {
  return html`<span class="${STATUS[status]}">${status}</span>`;
}

/** Renders a key's main details. */
export function keyFacts(key: KeyRecord): Html {
  return html`<dl class="facts">
<div><dt>Scope</dt><dd>${key.scope}</dd></div>
<div><dt>Delegate access</dt><dd>${hasDelegateAccess(key.note) ? 'on' : 'off'}</dd></div>
<div><dt>Issued</dt><dd>${dayElement(key.createdAt)}</dd></div>
<div><dt>Last used</dt><dd>${dayElement(key.lastUsedAt)}</dd></div>
</dl>`;
}

/** Renders a list of keys with links to their pages. */
export function keyRows(keys: readonly KeyRecord[]): Html {
  return html`<ul class="rows keys">${keys.map(
    key => html`<li>
<div><div class="between"><a class="mono" href="/operator/keys/${key.id}">${keyName(key)}</a>${statusBadge(key)}</div>
<p class="small${key.note === '' && ' quiet'}">${key.note || 'No note'}</p></div>
${keyFacts(key)}
</li>`,
  )}</ul>`;
}

/** Renders the full text of a new key, which is shown only once. */
export function issuedKeyBody(title: string, from: 'keys' | 'waitlist', { key, record }: IssuedKey, more?: Html): Html {
  return html`<div class="heading"><p class="crumb"><a href="/operator/${from}">← ${from === 'keys' ? 'Keys' : 'Waitlist'}</a></p><h1>${title}</h1>
<p class="lead">This key is shown only once. Copy the key now, and share it securely.</p></div>
<section class="card" aria-label="API key">
<output class="secret">${key}</output>
<p class="hint">Click the key to select it.</p>
${keyFacts(record)}
${
  hasDelegateAccess(record.note)
    ? ''
    : html`<p class="notice warn">This key doesn't have delegate access. Requests return 403 until you add <code>delegate:on</code> to the key's note.</p>`
}
${more}
<p><a href="/operator/keys/${record.id}">View note, scope, and usage</a></p>
</section>`;
}
