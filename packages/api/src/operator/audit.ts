import type { AuditRow, AuditState } from '@compliance/store';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';
import { moment } from '../pages/time.ts';
import type { OperatorDeps, OperatorEnv } from './context.ts';
import { answer } from './layout.ts';

/** How many entries one page lists. */
const PAGE = 50;

/** Who changed what, when, and how it was before and after. */
export function auditPage(app: Hono<OperatorEnv>, { store }: OperatorDeps): void {
  app.get('/operator/audit', async c => {
    const before = c.req.query('before');
    const read = await store.audit.list({ limit: PAGE + 1, before });
    const rows = read.slice(0, PAGE);
    const body = html`<div class="heading"><h1>Audit log</h1>
<p class="lead">Every change, newest first. Nothing alters or removes an entry.</p></div>
${rows.length === 0 ? html`<p class="empty">No entries${before !== undefined && ' before this one'}.</p>` : html`<ol class="rows">${rows.map(entry)}</ol>`}
${read.length > PAGE && html`<p><a class="button" href="/operator/audit?before=${rows.at(-1)!.id}">Older entries</a></p>`}`;
    return await answer(c, { title: 'Audit log', section: 'audit', body });
  });
}

function entry({ at, actor, action, subject, before, after, requestId }: AuditRow): Html {
  const changes = changedFields(before, after);
  return html`<li>
<div class="between"><p><span class="name">${action}</span> by ${actor}</p><p class="quiet">${moment(at)}</p></div>
<p class="small">${subjectOf(action, subject)}</p>
${changes.length > 0 && html`<ul class="changes">${changes}</ul>`}
${requestId !== null && html`<p class="small quiet">request <span class="mono">${requestId}</span></p>`}
</li>`;
}

/** What was changed, with a link where it has a page. */
function subjectOf(action: string, subject: string): Html {
  const section = action.startsWith('certificate.') ? 'certificates' : subject.startsWith('key_') ? 'keys' : null;
  if (section === null) return html`<span class="mono">${subject}</span>`;
  return html`<a class="mono" href="/operator/${section}/${subject}">${subject}</a>`;
}

/** The fields that differ, each with its value before and after. */
function changedFields(before: AuditState, after: AuditState): Html[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields.flatMap(field => {
    const [was, is] = [shown(field, before?.[field]), shown(field, after?.[field])];
    if (was === is) return [];
    return [
      html`<li>${field}: ${was !== null && html`<del>${was}</del>`}${was !== null && is !== null && ' → '}${is !== null && html`<ins>${is}</ins>`}</li>`,
    ];
  });
}

/** A value as text; null when there is nothing to show. Times are the fields that end in `At`. */
function shown(field: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (field.endsWith('At') && typeof value === 'number') return `${new Date(value).toISOString().slice(0, 16)}Z`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
