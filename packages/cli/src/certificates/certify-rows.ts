import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ATTACH_COLUMN,
  type AttachmentFile,
  type CertificateRecord,
  type CodeList,
  type CsvRecord,
  certificate,
  describeAttachments,
  InvalidRequest,
  initialStatus,
  type LabList,
  openFonts,
  type RegistryExport,
  type RowProblem,
  readTable,
  registryExport,
  render,
  requestOfCells,
  rowProblems,
  type TableRow,
  valuesInCell,
} from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import type { SignCertificate } from '@compliance/signing';
import { parse } from 'csv-parse';
import { CliError, fileError } from '../cli-error.ts';
import { attachmentProblem, readRowAttachments } from './attachments.ts';
import { type Journal, type JournalEntry, openJournal } from './journal.ts';
import { mergedFiles } from './merged-files.ts';
import { writeZip, type ZipEntry } from './write-zip.ts';

/** Input of {@link certifyRows}. */
export interface RowsInput {
  readonly csv: string;
  /** Template request with the fields that all rows share. */
  readonly template: unknown;
  readonly folder: string;
  /**
   * URL template for the certificates' public pages, with the placeholder `{id}` for the certificate ID, or null for
   * certificates without a URL.
   */
  readonly verificationUrl: string | null;
  readonly acceptedLabs: LabList | null;
  /** Files to attach to each PDF, such as a test report for the whole family. */
  readonly attachments: readonly AttachmentFile[];
  /** Folder with the files named in the `attach` column, or null if the CSV file doesn't have this column. */
  readonly attachFrom: string | null;
  /** Function that signs each PDF, or null for unsigned certificates. */
  readonly sign: SignCertificate | null;
  /** Path of the ZIP file to create from all PDFs, or null for no ZIP file. */
  readonly zip: string | null;
  /** Path of the PDF file to create from copies of all certificates, or null for no merged file. */
  readonly merged: string | null;
  /**
   * eFiling citation codes for Product Registry rows, or null if Product Registry rows aren't requested. If Product
   * Registry rows are requested, a CSV row that can't be exported gets no certificate.
   */
  readonly efiling: { readonly codes: CodeList | null } | null;
}

/** A row for which no certificate was created: its line number, the column with the problem, and an error message. */
interface BadRow extends RowProblem {
  readonly line: number;
}

/**
 * Number of new certificates by status, number of rows that already had a certificate, and the rows for which no
 * certificate was created.
 */
export interface RowsResult {
  readonly issued: Readonly<Record<string, number>>;
  readonly skipped: number;
  /** The ZIP file and the merged PDF files. */
  readonly collections: readonly string[];
  readonly bad: readonly BadRow[];
  /**
   * The Product Registry rows for all certificates, with one row for each variant. Not set if the rows weren't
   * requested.
   */
  readonly registry?: { readonly rows: readonly string[]; readonly notes: readonly string[] };
}

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
  const entries: ZipEntry[] = [];
  const copies = input.merged === null ? null : mergedFiles(input.merged, fonts);
  const registryRows: string[] = [];
  const registryNotes = new Set<string>();
  let skipped = 0;
  let journal: Journal | null = null;
  try {
    journal = await openJournal(input.folder);
    for await (const row of rowsOf(input)) {
      const { line } = row;
      if ('problem' in row) {
        bad.push({ line, ...row.problem });
        continue;
      }
      const { keyColumn, key, columns, cells } = row;
      const path = join(input.folder, row.file);
      const outcome = await certifyRow({ keyColumn, key, columns, cells, path }, input, journal);
      if ('problems' in outcome) {
        bad.push(...outcome.problems.map(each => ({ line, ...each })));
        continue;
      }
      const { record, isNew, registry } = outcome;
      registryRows.push(...(registry?.rows ?? []));
      for (const note of registry?.notes ?? []) registryNotes.add(note);
      const status = initialStatus(record);
      if (isNew) issued[status] = (issued[status] ?? 0) + 1;
      else skipped++;
      entries.push({ path, modified: new Date(record.issued_at) });
      await copies?.add(record);
    }
  } finally {
    await journal?.close();
  }
  const collections = [...(copies ? await copies.close() : [])];
  if (input.zip !== null) {
    await writeZip(input.zip, entries);
    collections.push(input.zip);
  }
  const registry = { rows: registryRows, notes: [...registryNotes] };
  return { issued, skipped, collections, bad, ...(input.efiling && { registry }) };
}

interface Row {
  readonly keyColumn: string;
  readonly key: string;
  readonly columns: readonly string[];
  readonly cells: readonly string[];
  readonly path: string;
}

/** A row's certificate, which might be from an earlier run, or the problems that prevented its creation. */
type RowOutcome =
  | { readonly record: CertificateRecord; readonly isNew: boolean; readonly registry: RegistryExport | null }
  | { readonly problems: readonly RowProblem[] };

/** Creates a row's certificate, or reads the certificate from an earlier run. */
async function certifyRow(
  { keyColumn, key, columns, cells, path }: Row,
  { template, verificationUrl, acceptedLabs, attachments: shared, attachFrom, sign, efiling }: RowsInput,
  journal: Journal,
): Promise<RowOutcome> {
  const problem = (message: string) => ({ problems: [{ column: keyColumn, message }] });
  const request = requestOfCells(template, columns, cells);
  const names = valuesInCell(cells[columns.indexOf(ATTACH_COLUMN)] ?? '');
  const own = await readRowAttachments(attachFrom ?? '', names);
  if ('problem' in own) return { problems: [{ column: ATTACH_COLUMN, message: own.problem }] };
  const attachments = [...shared, ...own.files];
  const unattachable = attachmentProblem(attachments);
  if (unattachable !== null) return { problems: [{ column: ATTACH_COLUMN, message: `can't attach ${unattachable}` }] };
  const attached = describeAttachments(attachments).map(({ sha256 }) => sha256);
  const hash = createHash('sha256').update(JSON.stringify(request)).update(attached.join('')).digest('hex');
  const known = journal.get(key);
  const exists = existsSync(path);
  if (known && known.request !== hash && exists)
    return problem(
      `${key} has changed since certificate ${known.id} was created for it. Move or delete ${path} to create a new certificate`,
    );
  if (exists && !known)
    return problem(`${path} exists, but wasn’t created by this command. Move the file, or use another folder`);
  const make = ({ id, issued_at: issuedAt }: Pick<JournalEntry, 'id' | 'issued_at'>) => {
    const url = verificationUrl?.replaceAll('{id}', id) ?? null;
    return certificate(request, {
      id,
      issuedAt,
      today: issuedAt.slice(0, 10),
      verificationUrl: url,
      acceptedLabs,
      attachments,
    });
  };
  let registry: RegistryExport | null = null;
  try {
    // Validate before adding an identifier so that invalid rows don't get one.
    const unidentified = { id: '00000000-0000-4000-8000-000000000000', issued_at: new Date().toISOString() };
    const draft = make(known && exists ? known : unidentified);
    registry = efiling && registryExport(draft, efiling.codes);
    if (registry && registry.gaps.length > 0) return { problems: rowProblems(registry.gaps, columns) };
    if (known && exists) return { record: draft, isNew: false, registry };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return { problems: rowProblems(error.issues, columns) };
  }
  const record = make(known?.request === hash ? known : await journal.add(key, hash));
  const part = `${path}.part`;
  const pdf = await render(record, fonts, attachments);
  await writeFile(part, sign ? await sign(pdf, { at: record.issued_at }) : pdf, { flush: true });
  await rename(part, path);
  return { record, isNew: true, registry };
}

async function* rowsOf({ csv, attachFrom }: Pick<RowsInput, 'csv' | 'attachFrom'>): AsyncGenerator<TableRow> {
  const parser = createReadStream(csv).compose(parse({ bom: true, info: true, relax_column_count: true }));
  try {
    for await (const row of readTable(parser as AsyncIterable<CsvRecord>)) {
      checkAttachments(csv, row.columns, attachFrom);
      yield row;
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (error instanceof RangeError) throw new CliError(`${csv} ${error.message}.`, 2);
    throw fileError(`Can't read ${csv}`, error);
  }
}

function checkAttachments(csv: string, columns: readonly string[], attachFrom: string | null): void {
  const hasFiles = columns.includes(ATTACH_COLUMN);
  if (hasFiles && attachFrom === null)
    throw new CliError(
      `${csv} has the ${ATTACH_COLUMN} column. Use --attach-from to specify the folder that contains the files.`,
      2,
    );
  if (!hasFiles && attachFrom !== null)
    throw new CliError(`--attach-from requires the ${ATTACH_COLUMN} column in ${csv}.`, 2);
}
