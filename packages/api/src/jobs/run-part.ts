import { scheduler } from 'node:timers/promises';
import { ERRORS } from '@compliance/contract/errors';
import type { CertificateKind } from '@compliance/core/entry';
import { JOURNEY_STEPS, type JourneyStep } from '@compliance/core/pixel';
import { type Dataset, easternDate, type Nomenclature, parseOrigin, prepareLookup } from '@compliance/core/tariff';
import type { Scanner, ScanRenderer } from '@compliance/crawler';
import type { BulkPartResult, ClaimedPart, Store } from '@compliance/store';
import { scanStorefront } from '../adapters/storefront-scan.ts';
import type { CertificateService } from '../certificates/certificate-service-types.ts';
import { ApiError } from '../errors/api-error.ts';
import { BULK_OPERATIONS, type BulkOperationId, KEEP_MS } from './bulk-operations.ts';
import { createRowReader, invalidRow } from './certificate-rows.ts';
import { inputName, resultName } from './job-files.ts';
import { renderedRow } from './rendered-row.ts';
import { type InputRow, type ResultRow, readRows, writeResultRows } from './rows.ts';

/** Dependencies for processing a part. */
export interface PartDeps {
  readonly store: Store;
  readonly clock: () => number;
  readonly dataset: () => Dataset;
  readonly nomenclature: Nomenclature | null;
  readonly scanner: Scanner | null;
  /** Renders scanned pages. By default, this process doesn't render pages. */
  readonly renderScan?: ScanRenderer | null;
  readonly certificates: CertificateService | null;
}

/** A job's options, as stored. */
interface JobOptions {
  readonly as_of?: string;
  readonly programs?: Parameters<typeof prepareLookup>[0]['programs'];
  readonly origin?: string;
  readonly journey?: readonly JourneyStep[];
  readonly template?: object;
}

const DAY_MS = 86_400_000;

/** Number of rows to process before yielding to the event loop. */
const PAUSE_EVERY = 500;

/** Error codes that a retry might resolve. */
export const TEMPORARY_ERRORS: ReadonlySet<string> = new Set([
  'unavailable',
  'target_busy',
  'idempotency_running',
  'storage_full',
  'internal',
]);

/**
 * Runs an operation on a part's rows and stores the result. An error in one row doesn't affect the other rows. Running
 * a part again replaces its result and never issues another certificate for the same row.
 *
 * @throws ApiError if a temporary error prevents the part from being processed
 */
export async function runPart(claimed: ClaimedPart, deps: PartDeps, signal: AbortSignal): Promise<BulkPartResult> {
  const { bulk, part } = claimed;
  const { files } = deps.store.blobs;
  const bytes = await files.read(inputName(bulk.id, bulk.upload!, part.number));
  if (!bytes) throw new Error("The part's input is missing.");
  const operation = bulk.operation as BulkOperationId;
  const { columns, inputColumns, issuesCertificates } = BULK_OPERATIONS[operation];
  const main = inputColumns?.[0] ?? '';
  const storedFormat = issuesCertificates ? 'ndjson' : bulk.format;
  const rows = readRows(storedFormat, bulk.header, new TextDecoder().decode(bytes), main);
  const results = await RUNNERS[operation](rows, claimed, deps, signal);
  const numbered = results.map((result, index) => ({ row: part.first + index, ...result }));
  const text = writeResultRows(bulk.result_format ?? bulk.format, columns, numbered);
  await files.write(resultName(bulk.id, part.number), new TextEncoder().encode(text));
  return { rows: rows.length, errors: results.filter(({ error }) => error !== undefined).length };
}

type Runner = (
  rows: readonly InputRow[],
  claimed: ClaimedPart,
  deps: PartDeps,
  signal: AbortSignal,
) => Promise<ResultRow[]>;

const RUNNERS: Record<BulkOperationId, Runner> = {
  async 'tariff.hts.lookup'(rows, { bulk }, { dataset, nomenclature }, signal) {
    const { origin: defaultOrigin, as_of, programs } = JSON.parse(bulk.options) as JobOptions;
    // All parts of a job use the same date, even if the job runs past midnight.
    const asOf = as_of ?? easternDate(bulk.started_at!);
    const prepared = new Map<string, ReturnType<typeof prepareLookup>>();
    const lookUpFor = (origin: string | null) => {
      const known = prepared.get(origin ?? '');
      if (known) return known;
      const options = { dataset: dataset(), ...(nomenclature && { nomenclature }), ...(programs && { programs }) };
      const made = prepareLookup({ asOf, ...options, ...(origin && { origin }) });
      prepared.set(origin ?? '', made);
      return made;
    };
    const results: ResultRow[] = [];
    for (const row of rows) {
      if (results.length % PAUSE_EVERY === 0) {
        signal.throwIfAborted();
        await scheduler.yield();
      }
      const submitted = textOf(row?.origin) || (defaultOrigin ?? '');
      const origin = submitted === '' ? null : parseOrigin(submitted);
      const reference = row?.reference === undefined ? {} : { reference: textOf(row.reference) };
      if (row?.code === undefined || (submitted !== '' && origin === null)) {
        results.push({ ...reference, ...INVALID_ROW });
        continue;
      }
      const [result] = lookUpFor(origin)([textOf(row.code)]).results;
      const { code, status, hit, in_scope, normalized, message, matches } = result!;
      const names = [...new Set(matches.map(({ program }) => program))].join(' ');
      results.push({ ...reference, code, status, hit, in_scope, normalized, programs: names, message });
    }
    return results;
  },

  async 'pixel.scan'(rows, { bulk }, { clock, scanner }, signal) {
    const poolCaller = () => ({ lane: 'keyed' as const, tenant: bulk.family, signal });
    return await eachRow(rows, signal, async row => {
      const url = textOf(row.url);
      const { score, findings } = await scanStorefront(url, { now: clock(), scanner, poolCaller });
      const rules = [...new Set(findings.map(({ rule_id }) => rule_id))];
      const reference = row.reference === undefined ? {} : { reference: textOf(row.reference) };
      return {
        ...reference,
        url,
        score,
        findings: findings.length,
        rules: (bulk.result_format ?? bulk.format) === 'ndjson' ? rules : rules.join(' '),
      };
    });
  },

  async 'pixel.render'(rows, { bulk }, { clock, scanner, renderScan }, signal) {
    if (!renderScan) throw new ApiError('unavailable');
    const { journey = [] } = JSON.parse(bulk.options) as JobOptions;
    const steps = JOURNEY_STEPS.filter(step => journey.includes(step));
    const poolCaller = () => ({ lane: 'keyed' as const, tenant: bulk.family, signal });
    return await eachRow(rows, signal, async row => {
      const url = textOf(row.url);
      const scan = await scanStorefront(url, { now: clock(), scanner, poolCaller });
      const rendering = await renderScan(scan, { journey: steps, signal });
      const reference = row.reference === undefined ? {} : { reference: textOf(row.reference) };
      return { ...reference, url, ...renderedRow(scan, rendering, bulk.result_format ?? bulk.format) };
    });
  },

  'entry.gcc.generate': (...part) => issueRows('GCC', ...part),

  'entry.cpc.generate': (...part) => issueRows('CPC', ...part),
};

/** Issues a certificate of the specified type for each row. */
async function issueRows(
  kind: CertificateKind,
  rows: readonly InputRow[],
  { bulk, part }: ClaimedPart,
  { clock, certificates }: PartDeps,
  signal: AbortSignal,
): Promise<ResultRow[]> {
  if (!certificates) throw new ApiError('unavailable');
  const poolCaller = () => ({ lane: 'keyed' as const, tenant: bulk.family, signal });
  const { template } = JSON.parse(bulk.options) as JobOptions;
  const readRow = createRowReader(kind, { ...bulk, template });
  return await eachRow(rows, signal, async (row, index) => {
    const { content, identity, problemsOf } = readRow(row);
    if ('problem' in content) return invalidRow(identity, [content.problem]);
    // The idempotency key prevents a second certificate if this row is processed again, which can happen until the
    // job is deleted.
    const idempotencyKey = `${bulk.id}/${part.first + index}`;
    const caller = {
      now: clock(),
      family: bulk.family,
      keyId: bulk.key_id,
      requestId: bulk.id,
      idempotencyKey,
      idempotencyLifeMs: KEEP_MS + DAY_MS,
      poolCaller,
    };
    try {
      const issued = await certificates.issue(kind, content.request, caller);
      const { gcc_id, sha256, verification_url, status, warnings } = issued;
      return { ...identity, gcc_id, sha256, verification_url, status, warnings };
    } catch (error) {
      const { issues } = error instanceof ApiError ? error.detail : {};
      return issues ? invalidRow(identity, problemsOf(issues)) : { ...identity, ...rowError(error) };
    }
  });
}

const INVALID_ROW = { error: 'invalid_row', error_message: 'The row is incomplete or unreadable.' };

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() : '';

/** Runs an operation on each row in turn. An error that affects only one row becomes that row's result. */
async function eachRow(
  rows: readonly InputRow[],
  signal: AbortSignal,
  run: (row: Readonly<Record<string, unknown>>, index: number) => Promise<ResultRow>,
): Promise<ResultRow[]> {
  const results: ResultRow[] = [];
  for (const [index, row] of rows.entries()) {
    signal.throwIfAborted();
    results.push(row ? await run(row, index).catch(rowError) : INVALID_ROW);
  }
  return results;
}

function rowError(error: unknown): ResultRow {
  if (!(error instanceof ApiError) || TEMPORARY_ERRORS.has(error.code)) throw error;
  const [issue] = error.detail.issues ?? [];
  const message = issue ? `${issue.path}: ${issue.message}` : (error.detail.reason ?? ERRORS[error.code].message);
  return { error: error.code, error_message: message };
}
