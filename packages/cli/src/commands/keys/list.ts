import { Command } from 'commander';
import { withStore } from '../../open-store.ts';
import { dataOption, jsonOption, type StoreCommandOptions } from '../../options.ts';
import { formatDay, print, sanitizeForTerminal, table } from '../../output/print.ts';

/** The `compliance keys list` command. */
export default new Command('list')
  .description('List API keys, newest first.')
  .option('--all', 'include expired and revoked keys')
  .addOption(dataOption())
  .addOption(jsonOption())
  .action(async ({ all = false, data, json }: StoreCommandOptions & { all?: boolean }) => {
    const records = await withStore(data, store => store.keys.list({ includeEnded: all }));
    if (json) return print(JSON.stringify(records));
    if (records.length === 0)
      return print('No API keys found. To issue a key, run: compliance keys issue --scope all --note delegate:on');
    const rows = records.map(record => [
      record.id,
      `${record.prefix}…${record.last4}`,
      record.scope,
      record.status,
      formatDay(record.createdAt),
      formatDay(record.lastUsedAt),
      sanitizeForTerminal(record.note),
    ]);
    print(table(['ID', 'Key', 'Scope', 'Status', 'Issued', 'Last used', 'Note'], [36, 30, 8, 11, 13, 13], rows));
  });
