import {
  checkLists,
  checkNotes,
  easternDate,
  type ListCheck,
  NomenclatureError,
  type NoteCheck,
} from '@compliance/core/tariff';
import { Failure } from '../failure.ts';
import { editionOf, readOfficialText } from '../input/nomenclature.ts';
import { asOptionFailure } from '../input/options.ts';
import { print, printable, table } from '../output/print.ts';

/** `compliance lists check` */
export async function listsCheckCommand(options: {
  hts: string;
  chapter99?: string;
  asOf?: string;
  edition?: string;
  json?: boolean;
}): Promise<void> {
  const { hts, chapter99, asOf = easternDate(Date.now()), edition = editionOf(hts), json } = options;
  const check = await heldAgainst(hts, text => checkLists(JSON.parse(text), edition, asOf));
  const notes = chapter99 === undefined ? null : await heldAgainst(chapter99, text => checkNotes(text, asOf));
  if (json) print(JSON.stringify({ ...check, notes }));
  else print(`${described(check)}\n\n${notes ? describedNotes(notes) : NOTES_UNSEEN}`);
}

async function heldAgainst<T>(file: string, compare: (text: string) => T): Promise<T> {
  const text = await readOfficialText(file);
  return asOptionFailure(() => {
    try {
      return compare(text);
    } catch (error) {
      if (!(error instanceof NomenclatureError || error instanceof SyntaxError)) throw error;
      throw new Failure(`${file} cannot be compared: ${error.message}`);
    }
  });
}

const NOTES_UNSEEN =
  'The codes that a U.S. note enumerates are not in an export: a code that a note gained is not seen here. Give the text of\nChapter 99 with --chapter-99.';

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
  ].join('\n\n');
}

function describedNotes({ compared, not_found }: NoteCheck): string {
  const changed = compared.filter(({ gained, lost }) => gained.length + lost.length > 0);
  const codes = (pick: 'gained' | 'lost') =>
    changed.flatMap(note => note[pick].map(code => [code, note.subdivisions.join(', '), note.lists.join(', ')]));
  const head = ['HTS', 'U.S. note', 'List'];
  return [
    `${compared.length - changed.length} of ${compared.length} lists or groups of them say what the text of the U.S. notes says.`,
    section('In the text, but not on the list', head, [16, 26], codes('gained')),
    section('On the list, but not in the text', head, [16, 26], codes('lost')),
    section(
      'Lists that were not found in the text',
      ['List', 'U.S. note'],
      [26],
      not_found.map(({ list, note }) => [list, note]),
    ),
  ].join('\n\n');
}

function section(title: string, head: string[], widths: number[], rows: string[][]): string {
  return rows.length === 0 ? `${title}: none.` : `${title} (${rows.length})\n${table(head, widths, rows)}`;
}

const inBrief = (codes: readonly string[]): string =>
  codes.length > 4 ? `${codes.slice(0, 4).join(', ')} and ${codes.length - 4} more` : codes.join(', ');
