import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { certificate, InvalidRequest, initialStatus, type LabList, openFonts, render } from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import { parse } from 'csv-parse';
import { CliError } from '../cli-error.ts';
import { type Journal, type JournalEntry, openJournal } from './journal.ts';
import { KEY_COLUMN, requestOfCells } from './row-request.ts';
import type { SignPdf } from './signing.ts';

/** Input of {@link certifyRows}. */
export interface RowsInput {
  readonly csv: string;
  /** The template: a request with the fields that all rows share. */
  readonly template: unknown;
  readonly folder: string;
  /** Public URL of each certificate, with `{id}` as a placeholder for its ID, or null. */
  readonly verificationUrl: string | null;
  readonly acceptedLabs: LabList | null;
  /** Signs each PDF, or null for unsigned certificates. */
  readonly sign: SignPdf | null;
}

/** A row for which no certificate was created: its line number, the column with the problem, and an error message. */
interface BadRow {
  readonly line: number;
  readonly column: string;
  readonly message: string;
}

/** The number of new certificates by status, the number of rows that already had one, and the rows without one. */
export interface RowsResult {
  readonly issued: Readonly<Record<string, number>>;
  readonly skipped: number;
  readonly bad: readonly BadRow[];
}

/** Columns that can identify a row, in order of preference. */
const KEYS = [KEY_COLUMN, 'product_info.sku', 'product_info.gtin', 'product_info.model'];

const fonts = openFonts(loadFace);

/**
 * Creates a certificate for each row of a CSV file. If the command is repeated, it skips rows that already have a
 * certificate, even if an earlier run was killed. Invalid rows don't affect the other rows.
 *
 * @throws CliError if the CSV file can't be read, or if none of its columns identifies the rows
 */
export async function certifyRows(input: RowsInput): Promise<RowsResult> {
  const issued: Record<string, number> = {};
  const bad: BadRow[] = [];
  const files = new Map<string, number>();
  let skipped = 0;
  let journal: Journal | null = null;
  try {
    journal = await openJournal(input.folder);
    for await (const { line, columns, cells } of rowsOf(input.csv)) {
      const keyColumn = KEYS.find(column => columns.includes(column))!;
      const key = cells[columns.indexOf(keyColumn)]?.trim() ?? '';
      const file = fileOf(key);
      const earlier = files.get(file.toLowerCase());
      if (key === '') bad.push({ line, column: keyColumn, message: 'is empty, so the row can’t be identified' });
      else if (earlier !== undefined)
        bad.push({ line, column: keyColumn, message: `results in the same filename as line ${earlier}` });
      else {
        files.set(file.toLowerCase(), line);
        const outcome = await certifyRow({ key, columns, cells, path: join(input.folder, file) }, input, journal);
        if (typeof outcome !== 'string') bad.push(...outcome.map(each => ({ line, ...each })));
        else if (outcome === 'skipped') skipped++;
        else issued[outcome] = (issued[outcome] ?? 0) + 1;
      }
    }
  } finally {
    await journal?.close();
  }
  return { issued, skipped, bad };
}

interface Row {
  readonly key: string;
  readonly columns: readonly string[];
  readonly cells: readonly string[];
  readonly path: string;
}

/** Creates a row's certificate. Returns its status, `skipped`, or the row's problems. */
async function certifyRow(
  { key, columns, cells, path }: Row,
  { template, verificationUrl, acceptedLabs, sign }: RowsInput,
  journal: Journal,
): Promise<string | Omit<BadRow, 'line'>[]> {
  const request = requestOfCells(template, columns, cells);
  const hash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  const known = journal.get(key);
  const exists = existsSync(path);
  if (known && known.request !== hash && exists)
    return [{ column: KEY_COLUMN, message: `${key} has changed since certificate ${known.id} was created for it` }];
  if (known && exists) return 'skipped';
  if (exists) return [{ column: KEY_COLUMN, message: `${path} exists, but wasn’t created by this command` }];
  const make = ({ id, issued_at: issuedAt }: Pick<JournalEntry, 'id' | 'issued_at'>) => {
    const url = verificationUrl?.replaceAll('{id}', id) ?? null;
    return certificate(request, { id, issuedAt, today: issuedAt.slice(0, 10), verificationUrl: url, acceptedLabs });
  };
  try {
    // Validate before adding an identifier, so that invalid rows don't get one.
    make({ id: '00000000-0000-4000-8000-000000000000', issued_at: new Date().toISOString() });
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return error.issues.map(({ path: field, message }) => ({ column: columnOf(field, columns), message }));
  }
  const record = make(known?.request === hash ? known : await journal.add(key, hash));
  const part = `${path}.part`;
  const pdf = await render(record, fonts);
  await writeFile(part, sign ? await sign(pdf, record.issued_at) : pdf, { flush: true });
  await rename(part, path);
  return initialStatus(record);
}

/** Returns the column for a field, or the field's name if no column provides it. */
function columnOf(field: string, columns: readonly string[]): string {
  return (
    columns.find(column => column === field || field.startsWith(`${column}.`)) ?? `${field || 'request'} (no column)`
  );
}

/** Returns a filename for a key. If the key can't be used unchanged, the filename includes a hash. */
function fileOf(key: string): string {
  const plain = key.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 80);
  if (plain === key) return `${key}.pdf`;
  return `${plain}-${createHash('sha256').update(key).digest('hex').slice(0, 8)}.pdf`;
}

async function* rowsOf(csv: string): AsyncIterable<{ line: number; columns: string[]; cells: string[] }> {
  const parser = createReadStream(csv).pipe(parse({ bom: true, info: true, relax_column_count: true }));
  let columns: string[] | null = null;
  let line = 1;
  try {
    for await (const { record: cells, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      if (columns === null) {
        columns = cells.map(cell => cell.trim());
        checkColumns(csv, columns);
      } else yield { line, columns, cells };
      line = info.lines + 1;
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`Can't read ${csv}, line ${line}: ${(error as Error).message}`, 2);
  }
  if (columns === null) throw new CliError(`${csv} has no header row.`, 2);
}

function checkColumns(csv: string, columns: readonly string[]): void {
  const repeated = columns.find((column, at) => columns.indexOf(column) !== at);
  if (repeated !== undefined) throw new CliError(`${csv} has two columns named ${repeated || '(empty)'}.`, 2);
  if (!KEYS.some(column => columns.includes(column)))
    throw new CliError(`${csv} needs one of these columns to identify its rows: ${KEYS.join(', ')}.`, 2);
}
