import { readRecord } from '@compliance/core/entry';
import { isCalendarDate } from '@compliance/core/tariff';
import type { Certificate, KeyRecord } from '@compliance/store';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { textField } from '../../pages/field.ts';
import type { Html } from '../../pages/page.ts';
import type { OperatorDeps, OperatorEnv } from '../shared/context.ts';
import { renderPage } from '../shared/layout.ts';
import { certificateFacts, statusBadges } from './components.ts';

/** Number of certificates per page. */
const PAGE = 50;

const DAY_MS = 86_400_000;
const INVALID_DATE = 'Enter a date in the format YYYY-MM-DD.';

/** Adds the page that lists issued certificates, with a search form. */
export function certificatesPage(app: Hono<OperatorEnv>, { store }: OperatorDeps): void {
  app.get('/operator/certificates', async c => {
    const [text, from, to] = ['q', 'from', 'to'].map(name => c.req.query(name)?.trim() ?? '') as [
      string,
      string,
      string,
    ];
    const before = c.req.query('before');
    const dateError = (date: string) => (date === '' || isCalendarDate(date) ? undefined : INVALID_DATE);
    const errors = { from: dateError(from), to: dateError(to) };
    const search = html`<form class="line" method="get" action="/operator/certificates" role="search">
${textField({ name: 'q', label: 'Name, model, SKU, certificate ID, or SHA-256 hash', type: 'search', value: text })}
${textField({ name: 'from', label: 'Issued on or after', type: 'date', value: from, error: errors.from })}
${textField({ name: 'to', label: 'Issued on or before', type: 'date', value: to, error: errors.to })}
<button class="plain">Search</button>
</form>`;
    const heading = html`<div class="heading"><h1>Certificates</h1>
<p class="lead">All issued certificates, newest first. Certificates can't be edited or deleted, but they can be voided unless they've been superseded.</p></div>`;
    if (errors.from ?? errors.to) {
      const body = html`${heading}${search}`;
      return await renderPage(c, { title: 'Certificates', section: 'certificates', body, status: 400 });
    }

    const read = await store.certificates.search({
      text,
      from: from === '' ? undefined : Date.parse(from),
      until: to === '' ? undefined : Date.parse(to) + DAY_MS,
      limit: PAGE + 1,
      before,
    });
    const found = read.slice(0, PAGE);
    const keys = await store.keys.list({ includeEnded: true });
    const older = new URLSearchParams({ q: text, from, to, before: found.at(-1)?.id ?? '' });
    const body = html`${heading}${search}
${found.length === 0 ? html`<p class="empty">${emptyMessage(text, from, to, before)}</p>` : html`<ul class="rows">${found.map(each => row(each, keys))}</ul>`}
${read.length > PAGE && html`<p><a class="button" href="/operator/certificates?${older}">Older certificates</a></p>`}`;
    return await renderPage(c, { title: 'Certificates', section: 'certificates', body });
  });
}

function emptyMessage(text: string, from: string, to: string, before: string | undefined): string {
  if (before !== undefined) return 'No older certificates.';
  const isFiltered = [text, from, to].some(filter => filter !== '');
  return isFiltered ? 'No certificates match your search.' : 'No certificates issued yet.';
}

function row(certificate: Certificate, keys: readonly KeyRecord[]): Html {
  const record = readRecord(certificate.record);
  return html`<li>
<div class="between"><a class="name" href="/operator/certificates/${certificate.id}">${record.request.product_info.name}</a><p>${statusBadges(certificate, record)}</p></div>
${certificateFacts(certificate, record, keys)}
</li>`;
}
