import type { KeyRecord } from '@compliance/store';
import { Command } from 'commander';
import { withStore } from '../../open-store.ts';
import { jsonOption, type StoreCommandOptions } from '../../options.ts';
import { formatDay, print, sanitizeForTerminal, table } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';

/** The `compliance keys list` command. */
export default new Command('list')
  .description('List API keys, newest first.')
  .option('--all', 'include expired and revoked keys')
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async ({ all = false, data, json }: StoreCommandOptions & { all?: boolean }) => {
    const records = await withStore(data, store => store.keys.list({ includeEnded: all }));
    if (json) return print(JSON.stringify(records));
    if (records.length === 0)
      return print(
        `No ${all ? '' : 'active '}API keys found. To issue a key, run: compliance keys issue --scope all --note delegate:on`,
      );
    print(table(['ID', 'Scope', 'Status', 'Issued', 'Last used'], [35, 8, 10, 12], records.flatMap(rowsOf)));
  });

/** Returns two table rows for a key so that the table fits in an 80-column terminal. */
function rowsOf({ id, prefix, last4, scope, status, createdAt, lastUsedAt, note }: KeyRecord): string[][] {
  return [
    [id, scope, status, formatDay(createdAt), formatDay(lastUsedAt)],
    [sanitizeForTerminal(`${prefix}…${last4}${note === '' ? '' : `  ${note}`}`)],
  ];
}
