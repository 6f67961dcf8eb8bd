import type { KeyRecord, Store } from '@compliance/store';
import { Command, Option } from 'commander';
import { CliError } from '../../cli-error.ts';
import { withStore } from '../../open-store.ts';
import { count, jsonOption, type StoreCommandOptions } from '../../options.ts';
import { print, sanitizeForTerminal, table } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';

/** The `compliance keys usage` command. */
export default new Command('usage')
  .description('Show request counts by day, key, and operation, for one key or for all keys.')
  .argument('[id]', 'key ID, as shown by keys list (default: all keys)')
  .addOption(new Option('--days <number>', 'number of days, including today').argParser(count(366)).default(30))
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async (id: string | undefined, { days, data, json }: StoreCommandOptions & { days: number }) => {
    const { usage, keys } = await withStore(data, store => read(store, id, days));
    if (json) return print(JSON.stringify(usage));
    if (usage.length === 0) return print(days === 1 ? 'No requests today.' : `No requests in the last ${days} days.`);
    const rows = usage.map(({ day, operation, count }) => [day, `${count}`, operation]);
    const byKey = Map.groupBy(usage.keys(), i => usage[i]!.keyId);
    const sections = [...byKey].map(
      ([keyId, indexes]) =>
        `${titleOf(keyId, keys)}\n${table(
          null,
          [12, 10],
          [...indexes].map(i => rows[i]!),
        )}`,
    );
    print(sections.join('\n\n'));
  });

async function read(store: Store, id: string | undefined, days: number) {
  const keys = await store.keys.list({ includeEnded: true });
  if (id !== undefined && !keys.some(key => key.id === id)) {
    throw new CliError(`No key has the ID ${sanitizeForTerminal(id)}. To find the ID, run: compliance keys list --all`);
  }
  const usage = await store.usage.dailyByKey({ days });
  return { usage: usage.filter(({ keyId }) => id === undefined || keyId === id), keys };
}

function titleOf(keyId: string, keys: readonly KeyRecord[]): string {
  const key = keys.find(({ id }) => id === keyId);
  if (!key) return keyId;
  return sanitizeForTerminal(`${keyId}  ${key.prefix}…${key.last4}${key.note === '' ? '' : `  ${key.note}`}`);
}
