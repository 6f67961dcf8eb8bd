import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  type CheckOptions,
  checkExtract,
  checkLists,
  checkNotes,
  countFindings,
  easternDate,
  isCalendarDate,
  isClean,
  isCleanNotes,
  isHeadingExtract,
  type ListCheck,
  NomenclatureError,
  type NoteCheck,
  programName,
  REASONS,
  type Reason,
  UnknownEditionError,
} from '@compliance/core/tariff';
import { Command, InvalidArgumentError } from 'commander';
import { CliError, fileError } from '../../cli-error.ts';
import { datasetOption, readDataset } from '../../input/dataset.ts';
import { reportOptionErrors } from '../../input/lookup-options.ts';
import { editionOf, readOfficialText } from '../../input/nomenclature.ts';
import { jsonOption } from '../../options.ts';
import { print, sanitizeForTerminal, table } from '../../output/print.ts';

interface Options {
  hts?: string;
  archive?: string;
  chapter99?: string;
  asOf?: string;
  edition?: string;
  editionDate: Record<string, string>;
  dataset?: string;
  json?: boolean;
}

/** The `compliance lists check` command. */
export default new Command('check')
  .description(
    'Compare the Section 232 data set with official HTS editions. Exits with code 1 if there are any findings.',
  )
  .option('--hts <file>', 'official HTS export (.json or .json.gz), including Chapter 99')
  .option(
    '--archive <path>',
    'folder with official HTS exports (hts_*.json or .json.gz), or an extract file with their headings',
  )
  .option(
    '--chapter-99 <file>',
    'with --hts: Chapter 99 PDF converted to text with pdftotext -layout; also checks the codes in U.S. notes',
  )
  .option('--edition <name>', 'with --hts: edition name (default: derived from the filename)')
  .option(
    '--as-of <date>',
    'with --hts: compare only the lists in force on this day, YYYY-MM-DD (default: every day the edition was in force, or today if its publication date is unknown)',
  )
  .option(
    '--edition-date <edition=date>',
    "publication date of an edition that isn't in the data set, such as '2026 Revision 11=2026-06-20' (repeatable)",
    addEditionDate,
    {},
  )
  .addOption(datasetOption())
  .addOption(jsonOption())
  .action(async ({ hts, archive, chapter99, asOf, edition, editionDate: published, dataset: own, json }: Options) => {
    const { dataset } = await readDataset(own);
    if ((hts === undefined) === (archive === undefined))
      throw new CliError('Specify either --hts or --archive, but not both.');
    if (archive !== undefined) {
      const single = { '--chapter-99': chapter99, '--edition': edition, '--as-of': asOf };
      for (const [option, value] of Object.entries(single)) {
        if (value !== undefined) throw new CliError(`Use ${option} with --hts.`);
      }
      const checks = await checkArchive(archive, { published, ...(dataset && { dataset }) });
      if (!checks.every(isClean)) process.exitCode = 1;
      print(json ? JSON.stringify({ clean: checks.every(isClean), editions: checks }) : archiveReport(checks));
      return;
    }
    const file = hts!;
    const check = await checkSingle(file, edition ?? editionOf(file), {
      ...(asOf === undefined ? {} : { asOf }),
      published,
      ...(dataset && { dataset }),
    });
    const notes =
      chapter99 === undefined ? null : await compareWith(chapter99, text => checkNotes(text, check.days.from, dataset));
    const clean = isClean(check) && (notes === null || isCleanNotes(notes));
    if (!clean) process.exitCode = 1;
    if (json) print(JSON.stringify({ clean, ...check, notes }));
    else print(`${listReport(check)}\n\n${notes ? noteReport(notes) : NOTES_NOT_CHECKED}`);
  });

function addEditionDate(text: string, dates: Record<string, string>): Record<string, string> {
  const [, edition, date] = /^(?:HTS )?(.+)=(.+)$/.exec(text) ?? [];
  if (edition === undefined || !isCalendarDate(date!)) {
    throw new InvalidArgumentError("Use the format '2026 Revision 11=2026-06-20'.");
  }
  return { ...dates, [edition]: date! };
}

/**
 * Compares an export with the data set on the days when the export's edition was in force, or today if the publication
 * date isn't known.
 */
async function checkSingle(file: string, edition: string, options: CheckOptions): Promise<ListCheck> {
  return compareWith(file, text => {
    const rows = JSON.parse(text);
    try {
      return checkLists(rows, edition, options);
    } catch (error) {
      if (!(error instanceof UnknownEditionError)) throw error;
      return checkLists(rows, edition, { ...options, asOf: easternDate(Date.now()) });
    }
  });
}

/**
 * Compares every export and extract in a folder, or a single file, with the data set. Returns the results sorted by the
 * first day compared.
 */
async function checkArchive(path: string, options: CheckOptions): Promise<ListCheck[]> {
  const files = await filesIn(path);
  const checks: ListCheck[] = [];
  const exports = new Map<string, string>();
  for (const file of files) {
    const added = await compareWith(file, text => {
      const parsed = JSON.parse(text);
      if (isHeadingExtract(parsed)) return checkExtract(parsed, options);
      const edition = editionOf(file);
      const same = exports.get(edition);
      if (same) throw new NomenclatureError(`${basename(same)} contains the same edition, ${edition}.`);
      exports.set(edition, file);
      return [checkLists(parsed, edition, options)];
    });
    checks.push(...added);
  }
  return checks.sort((a, b) => (a.days.from < b.days.from ? -1 : a.days.from > b.days.from ? 1 : 0));
}

/** Returns the paths of the official exports and extracts in a folder, or `path` itself if it's a file. */
async function filesIn(path: string): Promise<string[]> {
  let names: string[];
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    names = await readdir(path);
  } catch (error) {
    throw fileError(`Can't read ${path}`, error);
  }
  const files = names.filter(name => /^(hts_.*|chapter99-by-revision)\.json(\.gz)?$/.test(name)).sort();
  if (files.length === 0) {
    throw new CliError(`${path} doesn't contain any HTS editions. Use filenames such as hts_2026_rev_10.json.gz.`);
  }
  return files.map(name => join(path, name));
}

async function compareWith<T>(file: string, compare: (text: string) => T): Promise<T> {
  const text = await readOfficialText(file);
  return reportOptionErrors(() => {
    try {
      return compare(text);
    } catch (error) {
      if (error instanceof UnknownEditionError) {
        throw new CliError(
          `${file}: ${error.message} Add the date with --edition-date '${error.edition.replace(/^HTS /, '')}=YYYY-MM-DD'.`,
        );
      }
      if (!(error instanceof NomenclatureError || error instanceof SyntaxError)) throw error;
      throw new CliError(`Can't compare with ${file}: ${error.message}`);
    }
  });
}

const NOTES_NOT_CHECKED =
  "An export doesn't include the codes listed in U.S. notes, so the check can't detect codes that were added to a note. To check these codes,\npass the Chapter 99 text with --chapter-99.";

function archiveReport(checks: readonly ListCheck[]): string {
  const sum = (count: (check: ListCheck) => number) => checks.reduce((total, check) => total + count(check), 0);
  const reasons = (Object.keys(REASONS) as Reason[]).map(reason => [
    `${sum(check => check.explained.filter(item => item.reason === reason).length)}`,
    REASONS[reason],
  ]);
  const open = checks.filter(check => !isClean(check));
  return [
    table(
      ['Edition', 'Days compared', 'Headings', 'Explained', 'Not explained'],
      [26, 26, 10, 11],
      checks.map(check => [
        sanitizeForTerminal(check.edition),
        daysText(check),
        `${check.compared}`,
        `${check.explained.length}`,
        `${countFindings(check)}`,
      ]),
    ),
    `${checks.length} editions, ${sum(check => check.compared)} headings compared. ${sum(countFindings)} findings, including ${sum(check => check.unknown_headings.length)} unknown headings.`,
    section(
      'Explained differences',
      ['Count', 'Reason'],
      [8],
      reasons.filter(([count]) => count !== '0'),
    ),
    ...open.map(listReport),
  ].join('\n\n');
}

const daysText = ({ days: { from, to } }: Pick<ListCheck, 'days'>): string => (from === to ? from : `${from} to ${to}`);

function listReport(check: ListCheck): string {
  const { edition, version, known_through, compared, explained, gone } = check;
  const { differences, unknown_headings, unknown_notes, unused_reviews } = check;
  return [
    `Section 232 data, version ${version}, current through ${known_through}, compared with ${sanitizeForTerminal(edition)} on ${daysText(check)}: ${compared} headings, ${explained.length} explained differences.`,
    section(
      'Unknown headings',
      ['Heading', 'Program', 'Rate', 'Text'],
      [14, 26, 40],
      unknown_headings.map(({ heading, programs, printed, description }) => [
        sanitizeForTerminal(heading),
        programs.length === 0 ? 'unknown program' : programs.map(program => programName(program)).join(', '),
        sanitizeForTerminal(printed, 80),
        sanitizeForTerminal(description, 110),
      ]),
    ),
    section(
      'Unknown U.S. notes',
      ['U.S. note', 'Headings'],
      [12],
      unknown_notes.map(({ note, headings }) => [`${note}`, sanitizeForTerminal(abbreviated(headings))]),
    ),
    section(
      'Differences',
      ['Heading', 'Kind', 'Days', 'Data set', 'This edition'],
      [14, 14, 26, 30],
      differences.map(({ heading, kind, days, ours, printed }) => [
        heading,
        kind,
        daysText({ days }),
        ours,
        sanitizeForTerminal(printed, 200),
      ]),
    ),
    section(
      'Reviewed differences that no longer exist',
      ['Heading', 'Kind', 'Explanation'],
      [14, 14],
      unused_reviews.map(({ heading, kind, text }) => [heading, kind, text]),
    ),
    section(
      'Listed codes not in this edition',
      ['HTS', 'List', 'Similar codes in this edition'],
      [16, 26],
      gone.map(({ hts, list, successors }) => [hts, list, abbreviated(successors)]),
    ),
  ].join('\n\n');
}

function noteReport({ compared, not_found, unknown }: NoteCheck): string {
  const changed = compared.filter(({ gained, lost }) => gained.length + lost.length > 0);
  const codes = (pick: 'gained' | 'lost') =>
    changed.flatMap(note => note[pick].map(code => [code, note.subdivisions.join(', '), note.lists.join(', ')]));
  const head = ['HTS', 'U.S. note', 'List'];
  return [
    `${compared.length - changed.length} of ${compared.length} lists or groups of lists match the U.S. note text.`,
    section(
      'Subdivisions with codes that are not on any list',
      ['U.S. note', 'Codes'],
      [26],
      unknown.map(({ subdivision, codes: count }) => [subdivision, `${count}`]),
    ),
    section('In the text, but not on the list', head, [16, 26], codes('gained')),
    section('On the list, but not in the text', head, [16, 26], codes('lost')),
    section(
      'Lists not found in the text',
      ['List', 'U.S. note'],
      [26],
      not_found.map(({ list, note }) => [list, note]),
    ),
  ].join('\n\n');
}

function section(title: string, head: string[], widths: number[], rows: string[][]): string {
  return rows.length === 0 ? `${title}: none.` : `${title} (${rows.length})\n${table(head, widths, rows)}`;
}

const abbreviated = (codes: readonly string[]): string =>
  codes.length > 4 ? `${codes.slice(0, 4).join(', ')} and ${codes.length - 4} more` : codes.join(', ');
