import { Command, Option } from 'commander';
import { withStore } from '../../open-store.ts';
import { count, dataOption, jsonOption, type StoreCommandOptions } from '../../options.ts';
import { print, table } from '../../output/print.ts';

/** The `compliance keys usage` command. */
export default new Command('usage')
  .description('Show request counts by day and operation, for one key or for all keys.')
  .argument('[id]', 'key ID, as shown by keys list (default: all keys)')
  .addOption(
    new Option('--days <number>', 'number of days, including today').argParser(count('--days', 366)).default(30),
  )
  .addOption(dataOption())
  .addOption(jsonOption())
  .action(async (id: string | undefined, { days, data, json }: StoreCommandOptions & { days: number }) => {
    const usage = await withStore(data, store => store.usage.daily({ keyId: id, days }));
    if (json) return print(JSON.stringify(usage));
    if (usage.length === 0) return print(`No requests in the last ${days} days.`);
    const rows = usage.map(({ day, operation, count }) => [day, `${count}`, operation]);
    print(table(['Day', 'Requests', 'Operation'], [12, 10], rows));
  });
