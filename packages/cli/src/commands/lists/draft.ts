import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  type CoverageItem,
  checkExpectations,
  type DatasetDraft,
  type DraftExpectation,
  draftDataset,
  isFullyCovered,
  NomenclatureError,
} from '@compliance/core/tariff';
import { bundledDataset, DatasetError, hashOf, loadDataset } from '@compliance/core/tariff/dataset';
import { Command } from 'commander';
import { CliError, fileError } from '../../cli-error.ts';
import { datasetOption, readDataset } from '../../input/dataset.ts';
import { reportOptionErrors } from '../../input/lookup-options.ts';
import { editionOf, readOfficialText } from '../../input/nomenclature.ts';
import { readOfficialDocument } from '../../input/official-document/index.ts';
import { print, sanitizeForTerminal } from '../../output/print.ts';

interface Options {
  hts?: string;
  notes?: string;
  asOf?: string;
  edition?: string;
  act?: string;
  csms: string[];
  fr: string[];
  dataset?: string;
  datasetVersion?: string;
  out: string;
  verify?: boolean;
}

/** Files in a draft folder. */
const FILES = { draft: 'draft.json', dataset: 'dataset.json', expectations: 'expectations.json', report: 'report.md' };

/** Maximum size of the pdftotext output, in bytes. */
const MAX_TEXT = 64 * 1024 * 1024;

const EXAMPLES = `
Examples:
  compliance lists draft --hts hts_2026_rev_11.json.gz --notes chapter-99.pdf --as-of 2026-06-20 \\
    --csms csms-70999999.docx --fr 2026-25555.xml --dataset-version 2026.6.2 --out draft
  compliance lists draft --verify --out draft`;

/** The `compliance lists draft` command. */
export default new Command('draft')
  .description(
    'Draft a data set from an official HTS edition, with a coverage report for the reviewer. Never publishes anything. Exits with code 1 if the draft covers only part of the text.',
  )
  .option('--hts <file>', 'official HTS export (.json or .json.gz), including Chapter 99')
  .option('--notes <file>', 'Chapter 99 as a PDF, or as text from pdftotext -layout')
  .option('--as-of <date>', 'effective date of the changes, YYYY-MM-DD')
  .option('--edition <name>', 'edition name (default: derived from the --hts filename)')
  .option(
    '--act <citation>',
    'citation of the document that sets the effective date (default: the first edition that contains the changes)',
  )
  .option(
    '--csms <files...>',
    'CBP messages about the changes (.docx or plain text); if they state the effective date of a heading, the draft uses that date and cites the message',
    [],
  )
  .option(
    '--fr <files...>',
    'Federal Register documents (XML) that announce the changes; the draft cites them and uses their effective dates, as with --csms files',
    [],
  )
  .addOption(datasetOption())
  .option('--dataset-version <version>', 'draft version, such as 2026.12.1')
  .requiredOption('--out <folder>', 'draft folder')
  .option('--verify', 'check a reviewed draft against the counts from the official text, and write dataset.json')
  .addHelpText('after', EXAMPLES)
  .action(async ({ verify, out, ...options }: Options) => {
    if (verify) return verifyDraft(out);
    const { hts, notes, asOf, datasetVersion: version } = options;
    if (hts === undefined || notes === undefined || asOf === undefined || version === undefined) {
      throw new CliError('A draft needs --hts, --notes, --as-of, and --dataset-version.', 2);
    }
    const { dataset = loadDataset(bundledDataset()) } = await readDataset(options.dataset);
    const [officialExport, chapter99] = [parse(hts, await readOfficialText(hts)), await readNotes(notes)];
    const edition = options.edition ?? editionOf(hts);
    const documents = await Promise.all([
      // List Federal Register documents first. They're more authoritative, and a date in the draft cites the first
      // document that states it.
      ...options.fr.map(file => readOfficialDocument('federal_register', file)),
      ...options.csms.map(file => readOfficialDocument('csms', file)),
    ]);
    const draft = await reportOptionErrors(() => {
      try {
        const act = options.act === undefined ? {} : { act: options.act };
        const texts = { officialExport, chapter99, documents };
        return draftDataset({ dataset, ...texts, edition, effective: asOf, version, ...act });
      } catch (error) {
        if (!(error instanceof NomenclatureError)) throw error;
        throw new CliError(`Can't draft a data set from ${hts} and ${notes}: ${error.message}`);
      }
    });
    write(out, draft, reportOf(draft, edition, documents.length > 0));
    if (!isFullyCovered(draft)) process.exitCode = 1;
    const contradicted = draft.evidence.filter(({ state }) => state === 'contradicted').length;
    const count = (state: CoverageItem['state']) => draft.coverage.filter(item => item.state === state).length;
    print(
      `Draft of data set ${version} in ${out}: ${draft.changes.length} changes, ${draft.questions.length} questions for the reviewer.\n` +
        `Text coverage: ${count('modeled')} modeled, ${count('waived')} waived, ${count('missing')} missing.\n` +
        (documents.length > 0 ? `Contradictions between the draft and the documents: ${contradicted}.\n` : '') +
        `Review ${FILES.report} and edit ${FILES.draft}. Then run: compliance lists draft --verify --out ${out}`,
    );
  });

/** Checks a reviewed draft and writes it as a data set with a hash. */
function verifyDraft(folder: string): void {
  const content = parse(folder, readText(join(folder, FILES.draft))) as object;
  const expectations = parse(folder, readText(join(folder, FILES.expectations))) as DraftExpectation[];
  try {
    const dataset = loadDataset({ ...content, sha256: hashOf(content) });
    const wrong = checkExpectations(dataset, expectations);
    if (wrong.length > 0) throw new CliError(`The draft doesn't match the official text:\n  ${wrong.join('\n  ')}`);
    writeFileSync(join(folder, FILES.dataset), JSON.stringify(dataset));
    print(
      `The draft matches ${expectations.length} counts from the official text. Wrote data set ${dataset.version}: ${join(folder, FILES.dataset)}`,
    );
  } catch (error) {
    throw error instanceof DatasetError ? new CliError(`${FILES.draft}: ${error.message}`) : error;
  }
}

/** Reads the text of Chapter 99 from a file. Uses pdftotext from poppler to convert a PDF. */
async function readNotes(file: string): Promise<string> {
  if (!/\.pdf$/i.test(file)) return await readOfficialText(file);
  try {
    const { stdout } = await promisify(execFile)('pdftotext', ['-layout', '--', file, '-'], { maxBuffer: MAX_TEXT });
    return stdout;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new CliError('To read a PDF, install pdftotext (in poppler-utils).');
    throw new CliError(`pdftotext can't read ${file}.`);
  }
}

function write(folder: string, draft: DatasetDraft, report: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, FILES.draft), `${JSON.stringify(draft.dataset, null, 1)}\n`);
    writeFileSync(join(folder, FILES.expectations), `${JSON.stringify(draft.expectations, null, 1)}\n`);
    writeFileSync(join(folder, FILES.report), report);
  } catch (error) {
    throw fileError(`Can't write ${folder}`, error);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw fileError(`Can't read ${file}`, error);
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(`${file} doesn't contain valid JSON.`);
  }
}

/** Report sections that compare the draft with the documents. */
const EVIDENCE = [
  ['contradicted', 'Contradicted by a document'],
  ['added', 'In a document, but not in the draft'],
  ['not_mentioned', 'Not in any document'],
  ['confirmed', 'Confirmed by a document'],
] as const;

function reportOf(
  { dataset, changes, questions, coverage, evidence }: DatasetDraft,
  edition: string,
  hasDocuments: boolean,
): string {
  const section = (title: string, lines: readonly string[]) =>
    `## ${title}\n\n${lines.length > 0 ? lines.map(line => `- ${sanitizeForTerminal(line)}`).join('\n') : 'None.'}`;
  const items = (state: CoverageItem['state']) =>
    coverage
      .filter(item => item.state === state)
      .map(({ kind, name, page, explanation }) => `${kind} ${name}${page ? ` (page ${page})` : ''}: ${explanation}`);
  const share = coverage.length === 0 ? 100 : (100 * (coverage.length - items('missing').length)) / coverage.length;
  return `${[
    `# Draft of data set ${dataset.version} from ${edition}`,
    `Coverage: ${share.toFixed(1)}% of ${coverage.length} items (subdivisions, headings, and lists).`,
    section('Missing from the draft', items('missing')),
    section('Questions for the reviewer', questions),
    section('Changes', changes),
    ...(hasDocuments ? EVIDENCE : []).map(([state, title]) =>
      section(
        title,
        evidence
          .filter(each => each.state === state)
          .map(({ fact, location }) => (location === null ? fact : `${fact} (${location})`)),
      ),
    ),
    section('Waived', items('waived')),
    section('Modeled', items('modeled')),
  ].join('\n\n')}\n`;
}
