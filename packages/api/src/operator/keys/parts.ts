import type { IssuedKey, KeyRecord, KeyScope } from '@compliance/store';
import { html } from 'hono/html';
import { opensBetaGate } from '../../gates/key.ts';
import type { Html } from '../../pages/page.ts';
import { day } from '../../pages/time.ts';

/** The longest note of a key. */
export const MAX_NOTE = 500;

/** What a key may call, in words. */
export const SCOPES: Record<KeyScope, string> = {
  all: 'all: every product area',
  tariff: 'tariff: HTS look-up',
  pixel: 'pixel: storefront scan',
  entry: 'entry: certificates',
};

const STATUS: Record<KeyRecord['status'], string> = {
  active: 'badge good',
  expiring: 'badge warn',
  expired: 'badge',
  revoked: 'badge bad',
};

/** How a key is recognised: its two ends. */
export function keyName({ prefix, last4 }: KeyRecord): string {
  return `${prefix}…${last4}`;
}

/** The state of a key, in a word and a colour. */
export function statusBadge({ status }: KeyRecord): Html {
  return html`<span class="${STATUS[status]}">${status}</span>`;
}

/** What matters of a key at a glance. */
export function keyFacts(key: KeyRecord): Html {
  return html`<dl class="facts">
<div><dt>Scope</dt><dd>${key.scope}</dd></div>
<div><dt>Beta gate</dt><dd>${opensBetaGate(key.note) ? 'open' : 'closed'}</dd></div>
<div><dt>Issued</dt><dd>${day(key.createdAt)}</dd></div>
<div><dt>Last used</dt><dd>${day(key.lastUsedAt)}</dd></div>
</dl>`;
}

/** Keys as a list of links to their pages. */
export function keyRows(keys: readonly KeyRecord[]): Html {
  return html`<ul class="rows keys">${keys.map(
    key => html`<li>
<div><div class="between"><a class="mono" href="/operator/keys/${key.id}">${keyName(key)}</a>${statusBadge(key)}</div>
<p class="small${key.note === '' && ' quiet'}">${key.note || 'No note'}</p></div>
${keyFacts(key)}
</li>`,
  )}</ul>`;
}

/** A new key, whole, for the only time. */
export function shownOnce(title: string, from: 'keys' | 'waitlist', { key, record }: IssuedKey, more?: Html): Html {
  return html`<div class="heading"><p class="crumb"><a href="/operator/${from}">← ${from === 'keys' ? 'Keys' : 'Waitlist'}</a></p><h1>${title}</h1>
<p class="lead">This is the only time the key is shown. Copy it now and hand it over safely.</p></div>
<section class="card" aria-label="The key">
<output class="secret">${key}</output>
<p class="hint">One click selects the whole key.</p>
${keyFacts(record)}
${
  opensBetaGate(record.note)
    ? ''
    : html`<p class="notice warn">The beta gate is closed for this key: it gets 403 until its note holds <code>delegate:on</code>.</p>`
}
${more}
<p><a href="/operator/keys/${record.id}">Note, scope and usage of this key</a></p>
</section>`;
}
