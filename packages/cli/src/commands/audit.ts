import type { AuditRow } from '@compliance/store';
import { print, printable, table } from '../output/print.ts';
import { withStore } from '../store.ts';

interface Options {
  limit: number;
  before?: string;
  data: string;
  json?: boolean;
}

/** `compliance audit` */
export async function showAudit({ limit, before, data, json }: Options): Promise<void> {
  const rows = await withStore(data, store => store.audit.list({ limit, before }));
  if (json) return print(JSON.stringify(rows));
  if (rows.length === 0) return print('No entries.');
  print(table(['When (UTC)', 'Who', 'What', 'Before → after'], [18, 15, 20], rows.map(columns)));
  if (rows.length === limit) print(`\nOlder entries: compliance audit --before ${rows.at(-1)!.id}`);
}

function columns({ at, actor, action, subject, before, after }: AuditRow): string[] {
  const state = (value: AuditRow['before']) => (value === null ? '–' : printable(JSON.stringify(value)));
  const change = before === null && after === null ? '' : `\n${state(before)} → ${state(after)}`;
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  return [when, printable(actor), printable(action), printable(subject) + change];
}
