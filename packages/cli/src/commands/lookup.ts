import { easternDate, type Lookup, type LookupOptions, lookup } from '@compliance/core/tariff';
import { readCodes } from '../input/codes.ts';
import { readNomenclature } from '../input/nomenclature.ts';
import { asOptionFailure, parsePrograms } from '../input/options.ts';
import { lookupTable } from '../output/lookup-table.ts';
import { print } from '../output/print.ts';
import { withProgress } from '../output/progress.ts';

interface Options {
  asOf?: string;
  programs?: string;
  origin?: string;
  csv?: string;
  column?: string;
  hts?: string;
  json?: boolean;
}

/** How many codes are answered between two steps of the progress bar. */
const BATCH = 10_000;

/** `compliance lookup` */
export async function lookupCommand(given: string[], options: Options): Promise<void> {
  const codes = await readCodes(given, options);
  const query: LookupOptions = {
    asOf: options.asOf ?? easternDate(Date.now()),
    ...(options.programs !== undefined && { programs: parsePrograms(options.programs) }),
    ...(options.origin !== undefined && { origin: options.origin }),
    ...(options.hts !== undefined && { nomenclature: await readNomenclature(options.hts) }),
  };
  const answer = await asOptionFailure(() => inBatches(codes, query));
  print(options.json ? JSON.stringify(answer) : lookupTable(answer));
}

async function inBatches(codes: string[], query: LookupOptions): Promise<Lookup> {
  const whole = lookup([], query);
  await withProgress('codes', codes.length, BATCH, start => {
    const part = lookup(codes.slice(start, start + BATCH), query);
    for (const result of part.results) whole.results.push(result);
    Object.assign(whole.list.sources, part.list.sources);
  });
  return whole;
}
