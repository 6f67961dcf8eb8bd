import { easternDate, type ListsInForce, listsInForce, PROGRAMS } from '@compliance/core/tariff';
import { Command } from 'commander';
import { reportOptionErrors } from '../../input/lookup-options.ts';
import { jsonOption } from '../../options.ts';
import { print, table } from '../../output/print.ts';

/** The `compliance tariff lists` command. */
export default new Command('lists')
  .description('Show the lists in force, with provision counts and the date through which the lists are current.')
  .option('--as-of <date>', 'show the lists in force on this date, YYYY-MM-DD (default: today in US Eastern time)')
  .addOption(jsonOption())
  .action(async ({ asOf, json }: { asOf?: string; json?: boolean }) => {
    const facts = await reportOptionErrors(() => listsInForce(asOf ?? easternDate(Date.now())));
    print(json ? JSON.stringify(facts) : summary(facts));
  });

function summary({ version, known_through, latest_material, as_of, notice, programs, sources }: ListsInForce): string {
  const rows = programs.map(({ program, articles, derivatives }) => [
    PROGRAMS[program],
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
