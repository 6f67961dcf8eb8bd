import { RETEST_YEARS, type Retest, type RetestPlan, readRecord, retestsOf } from '@compliance/core/entry';
import { easternDate } from '@compliance/core/tariff';
import type { Certificate, Store } from '@compliance/store';
import { Command, Option } from 'commander';
import { CliError } from '../../cli-error.ts';
import { withStore } from '../../open-store.ts';
import { jsonOption, type StoreCommandOptions } from '../../options.ts';
import { print, sanitizeForTerminal, table } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';

interface Options extends StoreCommandOptions {
  within: number;
  plan: RetestPlan;
}

/** A test that is due for a rule on a certificate. */
interface DueTest extends Retest {
  readonly id: string;
  readonly product: string;
  readonly status: string;
}

const DAY_MS = 86_400_000;
const PAGE = 500;

/** The `compliance certificates due` command. */
export default new Command('due')
  .description(
    "List the periodic third-party tests that are due for the rules cited in Children's Product Certificates, in order of due date.",
  )
  .addOption(
    new Option(
      '--within <days>',
      'list tests that are due within this period, such as 60d; overdue tests are always listed',
    )
      .argParser(days)
      .default(60, '60d'),
  )
  .addOption(
    new Option(
      '--plan <plan>',
      'testing plan that sets the interval: periodic (1 year), production (2 years), or accredited (3 years), under 16 CFR 1107.21',
    )
      .choices(Object.keys(RETEST_YEARS))
      .default('periodic'),
  )
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async ({ within, plan, data, json }: Options) => {
    const now = Date.now();
    const until = new Date(Date.parse(easternDate(now)) + within * DAY_MS).toISOString().slice(0, 10);
    const due = await withStore(data, store => dueTests(store, plan, until));
    if (json) return print(JSON.stringify({ plan, until, due }));
    const today = easternDate(now);
    const rows = due.map(({ id, citation, tested, due: day, product }) => [
      id,
      `${day}${day < today ? ' !' : ''}`,
      tested,
      citation,
      sanitizeForTerminal(product),
    ]);
    if (rows.length > 0) print(table(['ID', 'Due', 'Tested', 'Rule', 'Product'], [38, 14, 12, 18], rows));
    const overdue = due.filter(({ due: day }) => day < today).length;
    const found =
      due.length === 0 ? 'No tests are due' : `${due.length} ${due.length === 1 ? 'test is' : 'tests are'} due`;
    print(
      `${found} by ${until}${overdue > 0 ? `, ${overdue} of them overdue (!)` : ''}. After a material change to a product, a new test is required before the date shown. ` +
        "General Certificates of Conformity aren't listed, because their retest dates depend on each product's testing program.",
    );
  });

/** Returns the tests that are due on or before a date. Skips superseded and voided certificates. */
async function dueTests({ certificates }: Store, plan: RetestPlan, until: string): Promise<DueTest[]> {
  const due: DueTest[] = [];
  for (const status of ['complete', 'incomplete', 'draft'] as const) {
    let before: string | undefined;
    let page: Certificate[];
    do {
      page = await certificates.search({ status, before, limit: PAGE });
      for (const { id, record } of page) {
        const read = readRecord(record);
        const retests = retestsOf(read, plan).filter(each => each.due <= until);
        due.push(...retests.map(each => ({ id, product: read.request.product_info.name, status, ...each })));
      }
      before = page.at(-1)?.id;
    } while (page.length === PAGE);
  }
  return due.sort((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : 0));
}

function days(text: string): number {
  const [, number] = /^(\d{1,4})d?$/.exec(text) ?? [];
  if (number === undefined) throw new CliError(`--within ${text}: enter a number of days, such as 60d.`, 2);
  return Number(number);
}
