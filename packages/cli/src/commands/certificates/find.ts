import { isCalendarDate } from '@compliance/core/tariff';
import { Command } from 'commander';
import { CliError } from '../../cli-error.ts';
import { withStore } from '../../open-store.ts';
import { jsonOption, limitOption, type StoreCommandOptions } from '../../options.ts';
import { formatDay, print, sanitizeForTerminal, table } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';
import { recordOf, withRecord } from './record.ts';

interface Options extends StoreCommandOptions {
  from?: string;
  to?: string;
  limit: number;
  before?: string;
}

const DAY_MS = 86_400_000;

/** The `compliance certificates find` command. */
export default new Command('find')
  .description('Find certificates, newest first. Lists all certificates if no search terms are specified.')
  .argument(
    '[words...]',
    'parts of the product name, model, or SKU, or at least the first six characters of a certificate ID or SHA-256 hash',
  )
  .option('--from <date>', 'show only certificates issued on or after this date, YYYY-MM-DD')
  .option('--to <date>', 'show only certificates issued on or before this date, YYYY-MM-DD')
  .addOption(limitOption())
  .option('--before <id>', 'show only certificates older than the one with this ID')
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async (words: string[], { from, to, limit, before, data, json }: Options) => {
    const query = {
      text: words.join(' '),
      from: from === undefined ? undefined : midnight('--from', from),
      until: to === undefined ? undefined : midnight('--to', to) + DAY_MS,
      ...{ limit, before },
    };
    const found = await withStore(data, store => store.certificates.search(query));
    if (json) return print(JSON.stringify(found.map(withRecord)));
    if (found.length === 0) return print('No certificates found.');
    const rows = found.map(certificate => {
      const { name, sku } = recordOf(certificate).request.product_info;
      const product = sanitizeForTerminal(sku === undefined ? name : `${name}, ${sku}`);
      return [
        certificate.id,
        certificate.status,
        formatDay(certificate.createdAt),
        certificate.sha256.slice(0, 12),
        product,
      ];
    });
    print(table(['ID', 'Status', 'Issued', 'SHA-256', 'Product, SKU'], [38, 12, 12, 14], rows));
    if (found.length === limit)
      print(`\nTo show older certificates, repeat the command with --before ${found.at(-1)!.id}`);
  });

function midnight(option: string, date: string): number {
  if (!isCalendarDate(date)) throw new CliError(`${option} ${date}: enter a date in YYYY-MM-DD format.`, 2);
  return Date.parse(date);
}
