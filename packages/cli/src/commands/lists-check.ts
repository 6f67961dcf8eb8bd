import { checkLists, easternDate, type ListCheck, NomenclatureError } from '@compliance/core/tariff';
import { Failure } from '../failure.ts';
import { editionOf, readExport } from '../input/nomenclature.ts';
import { asFailure } from '../input/options.ts';
import { print, printable, table } from '../output/print.ts';

/** `compliance lists check` */
export async function listsCheckCommand(options: {
  hts: string;
  asOf?: string;
  edition?: string;
  json?: boolean;
}): Promise<void> {
  const { hts, asOf = easternDate(Date.now()), edition = editionOf(hts), json } = options;
  const text = await readExport(hts);
  const check = await asFailure(() => {
    try {
      return checkLists(JSON.parse(text), edition, asOf);
    } catch (error) {
      if (!(error instanceof NomenclatureError || error instanceof SyntaxError)) throw error;
      throw new Failure(`${hts} cannot be compared: ${error.message}`);
    }
  });
  print(json ? JSON.stringify(check) : described(check));
}

function described(check: ListCheck): string {
  const { edition, as_of, version, known_through, gone, missing_headings, other_rates, unknown_headings } = check;
  return [
    `Lists of ${version}, known through ${known_through}, held against ${printable(edition)} as of ${as_of}.`,
    section(
      'Listed, but not in this edition',
      ['HTS', 'List', 'Near it in this edition'],
      [16, 26],
      gone.map(({ hts, list, successors }) => [hts, list, inBrief(successors)]),
    ),
    missing_headings.length === 0
      ? 'Headings of the lists that this edition does not have: none.'
      : `Headings of the lists that this edition does not have (${missing_headings.length})\n${missing_headings.join(', ')}`,
    section(
      'Charged otherwise in this edition',
      ['Headings', 'Lists', 'This edition'],
      [26, 18],
      other_rates.map(({ headings, rate_pct, rate_type, printed }) => [
        headings.join(', '),
        `${rate_pct} % ${rate_type}`,
        printable(printed.join(' / '), 200),
      ]),
    ),
    section(
      'Headings of this edition that no list names',
      ['Heading', 'Rate', 'Text'],
      [14, 40],
      unknown_headings.map(({ heading, printed, description }) => [
        heading,
        printable(printed, 80),
        printable(description, 110),
      ]),
    ),
    'The codes that a U.S. note enumerates are not in an export: a code that a note gained is not seen here.',
  ].join('\n\n');
}

function section(title: string, head: string[], widths: number[], rows: string[][]): string {
  return rows.length === 0 ? `${title}: none.` : `${title} (${rows.length})\n${table(head, widths, rows)}`;
}

const inBrief = (codes: readonly string[]): string =>
  codes.length > 4 ? `${codes.slice(0, 4).join(', ')} and ${codes.length - 4} more` : codes.join(', ');
