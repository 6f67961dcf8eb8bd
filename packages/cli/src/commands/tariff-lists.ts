import { easternDate, type ListsInForce, listsInForce, PROGRAMS } from '@compliance/core/tariff';
import { asOptionFailure } from '../input/options.ts';
import { print, table } from '../output/print.ts';

/** `compliance tariff lists` */
export async function tariffListsCommand({ asOf, json }: { asOf?: string; json?: boolean }): Promise<void> {
  const facts = await asOptionFailure(() => listsInForce(asOf ?? easternDate(Date.now())));
  print(json ? JSON.stringify(facts) : described(facts));
}

function described({
  version,
  known_through,
  latest_material,
  as_of,
  notice,
  programs,
  sources,
}: ListsInForce): string {
  const rows = programs.map(({ program, articles, derivatives }) => [
    PROGRAMS[program],
    `${articles}`,
    `${derivatives}`,
  ]);
  return [
    `Lists of ${version}, as of ${as_of}; known through ${known_through} (${latest_material}).`,
    ...(notice === null ? [] : [notice]),
    '',
    table(['Program', 'Articles', 'Derivatives'], [26, 10], rows),
    '',
    `${Object.keys(sources).length} sources; --json lists them.`,
  ].join('\n');
}
