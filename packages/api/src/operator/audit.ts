import type { AuditRow, AuditState } from '@compliance/store';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { Html } from '../pages/page.ts';
import { dateTime } from '../pages/time.ts';
import type { OperatorDeps, OperatorEnv } from './shared/context.ts';
import { renderPage } from './shared/layout.ts';

/** Number of entries per page. */
const PAGE = 50;

/** Adds the audit log page, which lists each change with its time, actor, and previous and new values. */
export function auditPage(app: Hono<OperatorEnv>, { store }: OperatorDeps): void {
  app.get('/operator/audit', async c => {
    const before = c.req.query('before');
    const read = await store.audit.list({ limit: PAGE + 1, before });
    const rows = read.slice(0, PAGE);
    const body = html`<div class="heading"><h1>Audit log</h1>
<p class="lead">All changes and operator sign-ins, newest first. Entries can't be edited or deleted.</p></div>
${rows.length === 0 ? html`<p class="empty">${before === undefined ? 'No entries yet.' : 'No older entries.'}</p>` : html`<ol class="rows">${rows.map(entry)}</ol>`}
${read.length > PAGE && html`<p><a class="button" href="/operator/audit?before=${rows.at(-1)!.id}">Older entries</a></p>`}`;
    return await renderPage(c, { title: 'Audit log', section: 'audit', body });
  });
}

function entry({ at, actor, action, subject, before, after, requestId }: AuditRow): Html {
  const changes = changedFields(before, after);
  return html`<li>
<div class="between"><p><span class="name">${action}</span> by ${actor}</p><p class="quiet">${dateTime(at)}</p></div>
<p class="small">${subjectOf(action, subject)}</p>
${changes.length > 0 && html`<ul class="changes">${changes}</ul>`}
${requestId !== null && html`<p class="small quiet">Request ID: <span class="mono">${requestId}</span></p>`}
</li>`;
}

/** Renders the subject of a change, as a link if the subject has a page. */
function subjectOf(action: string, subject: string): Html {
  const section = action.startsWith('certificate.') ? 'certificates' : subject.startsWith('key_') ? 'keys' : null;
  if (section === null) return html`<span class="mono">${subject}</span>`;
  return html`<a class="mono" href="/operator/${section}/${subject}">${subject}</a>`;
}

/** Renders the changed fields with their previous and new values. */
function changedFields(before: AuditState, after: AuditState): Html[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields.flatMap(field => {
    const [previous, current] = [display(field, before?.[field]), display(field, after?.[field])];
    if (previous === current) return [];
    return [
      html`<li>${field}: ${previous !== null && html`<del>${previous}</del>`}${previous !== null && current !== null && ' → '}${current !== null && html`<ins>${current}</ins>`}</li>`,
    ];
  });
}

/** Formats a value as text. Returns null for an empty value. Treats a field whose name ends in `At` as a time. */
function display(field: string, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (field.endsWith('At') && typeof value === 'number') return `${new Date(value).toISOString().slice(0, 16)}Z`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
