import type { AuditRow } from '@compliance/store';
import { Command } from 'commander';
import { withStore } from '../open-store.ts';
import { jsonOption, limitOption, type StoreCommandOptions } from '../options.ts';
import { print, sanitizeForTerminal, table } from '../output/print.ts';
import { settingOption } from '../settings/settings.ts';

interface Options extends StoreCommandOptions {
  limit: number;
  before?: string;
}

/** The `compliance audit` command. */
export default new Command('audit')
  .description('Show the audit log, newest entries first.')
  .addOption(limitOption())
  .option('--before <id>', 'show only entries older than the entry with this ID')
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async ({ limit, before, data, json }: Options) => {
    const rows = await withStore(data, store => store.audit.list({ limit, before }));
    if (json) return print(JSON.stringify(rows));
    if (rows.length === 0) return print('The audit log has no entries.');
    print(table(['Time (UTC)', 'Actor', 'Action', 'Before → after'], [18, 15, 20], rows.map(columns)));
    if (rows.length === limit) print(`\nTo show older entries, run: compliance audit --before ${rows.at(-1)!.id}`);
  });

function columns({ at, actor, action, subject, before, after }: AuditRow): string[] {
  const state = (value: AuditRow['before']) => (value === null ? '–' : sanitizeForTerminal(JSON.stringify(value)));
  const change = before === null && after === null ? '' : `\n${state(before)} → ${state(after)}`;
  const time = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  return [time, sanitizeForTerminal(actor), sanitizeForTerminal(action), sanitizeForTerminal(subject) + change];
}
