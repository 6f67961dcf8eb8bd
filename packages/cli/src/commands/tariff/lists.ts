import { type Dataset, easternDate, type ListsInForce, listsInForce, programName } from '@compliance/core/tariff';
import { Command } from 'commander';
import { datasetOption, readDataset } from '../../input/dataset.ts';
import { reportOptionErrors } from '../../input/lookup-options.ts';
import { jsonOption } from '../../options.ts';
import { print, table } from '../../output/print.ts';

/** The `compliance tariff lists` command. */
export default new Command('lists')
  .description('Show the lists in force, with provision counts and the date through which the lists are current.')
  .option('--as-of <date>', 'show the lists in force on this date, YYYY-MM-DD (default: today in US Eastern time)')
  .addOption(datasetOption())
  .addOption(jsonOption())
  .action(async ({ asOf, dataset: file, json }: { asOf?: string; dataset?: string; json?: boolean }) => {
    const { dataset } = await readDataset(file);
    const facts = await reportOptionErrors(() => listsInForce(asOf ?? easternDate(Date.now()), dataset));
    print(json ? JSON.stringify(facts) : summary(facts, dataset));
  });

function summary(
  { version, known_through, latest_material, as_of, notice, programs, sources }: ListsInForce,
  dataset: Dataset | undefined,
): string {
  const rows = programs.map(({ program, articles, derivatives }) => [
    programName(program, dataset),
    `${articles}`,
    `${derivatives}`,
  ]);
  return [
    `Section 232 lists, version ${version}, as of ${as_of}; current through ${known_through} (${latest_material}).`,
    ...(notice === null ? [] : [notice]),
    '',
    table(['Program', 'Articles', 'Derivatives'], [26, 10], rows),
    '',
    `${Object.keys(sources).length} sources; use --json to list them.`,
  ].join('\n');
}
