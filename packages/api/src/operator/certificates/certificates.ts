import type { CertificateRecord } from '@compliance/core/entry';
import { isCalendarDate } from '@compliance/core/tariff';
import type { Certificate, KeyRecord } from '@compliance/store';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { textField } from '../../pages/field.ts';
import type { Html } from '../../pages/page.ts';
import type { OperatorDeps, OperatorEnv } from '../context.ts';
import { answer } from '../layout.ts';
import { certificateFacts, statusBadges } from './parts.ts';

/** How many certificates one page lists. */
const PAGE = 50;

const DAY_MS = 86_400_000;
const NO_DATE = 'Write a day as YYYY-MM-DD.';

/** The search of issued certificates. */
export function certificatesPage(app: Hono<OperatorEnv>, { store }: OperatorDeps): void {
  app.get('/operator/certificates', async c => {
    const [text, from, to] = ['q', 'from', 'to'].map(name => c.req.query(name)?.trim() ?? '') as [
      string,
      string,
      string,
    ];
    const before = c.req.query('before');
    const faulty = (date: string) => (date === '' || isCalendarDate(date) ? undefined : NO_DATE);
    const faults = { from: faulty(from), to: faulty(to) };
    const search = html`<form class="line" method="get" action="/operator/certificates" role="search">
${textField({ name: 'q', label: 'Name, model, SKU, number or SHA-256', type: 'search', value: text })}
${textField({ name: 'from', label: 'Issued from', type: 'date', value: from, fault: faults.from })}
${textField({ name: 'to', label: 'Issued to', type: 'date', value: to, fault: faults.to })}
<button class="plain">Search</button>
</form>`;
    const heading = html`<div class="heading"><h1>Certificates</h1>
<p class="lead">Every certificate that was issued here, newest first. None is edited or removed; a valid one can be voided.</p></div>`;
    if (faults.from ?? faults.to) {
      const body = html`${heading}${search}`;
      return await answer(c, { title: 'Certificates', section: 'certificates', body, status: 400 });
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
${found.length === 0 ? html`<p class="empty">${nothing(text, from, to, before)}</p>` : html`<ul class="rows">${found.map(each => row(each, keys))}</ul>`}
${read.length > PAGE && html`<p><a class="button" href="/operator/certificates?${older}">Older certificates</a></p>`}`;
    return await answer(c, { title: 'Certificates', section: 'certificates', body });
  });
}

function nothing(text: string, from: string, to: string, before: string | undefined): string {
  if (before !== undefined) return 'No certificate is older.';
  return [text, from, to].every(asked => asked === '') ? 'No certificate was issued yet.' : 'No certificate fits.';
}

function row(certificate: Certificate, keys: readonly KeyRecord[]): Html {
  const record: CertificateRecord = JSON.parse(certificate.record);
  return html`<li>
<div class="between"><a class="name" href="/operator/certificates/${certificate.id}">${record.request.product_info.name}</a><p>${statusBadges(certificate, record)}</p></div>
${certificateFacts(certificate, record, keys)}
</li>`;
}
