import { startQueueWorker, type Worker } from '@compliance/store/jobs';
import { type CertificateDeps, createCertificateService } from '../certificates/certificate-service.ts';
import { createDelivery } from '../certificates/marked-pdf.ts';
import { ApiError } from '../errors/api-error.ts';
import { toApiError } from '../errors/to-api-error.ts';
import { KEEP_MS } from './bulk-operations.ts';
import { fetchInput } from './fetch-input.ts';
import type { InputSources } from './input-sources.ts';
import type { ReadParquet } from './parquet/parquet-lines.ts';
import { type PartDeps, runPart, TEMPORARY_ERRORS } from './run-part.ts';

/** Dependencies of a bulk job worker. */
export interface BulkWorkerDeps extends Omit<PartDeps, 'certificates'> {
  readonly certificates: CertificateDeps | null;
  /** Sources that this process fetches job input from. By default, this process doesn't fetch input. */
  readonly inputSources?: InputSources | null;
  /** Reads the Parquet files that this process fetches. */
  readonly readParquet?: ReadParquet | null;
  /**
   * Maximum number of parts that this process runs concurrently for one account. One additional slot is available only
   * to other accounts, so an account with long-running parts, such as scans of slow storefronts, never occupies every
   * slot.
   */
  readonly concurrency: number;
  /** Worker ID for logs. */
  readonly name: string;
  readonly onFailure: (failure: unknown) => void;
}

/**
 * Number of files that this process fetches concurrently, at most one for each account. These slots are separate from
 * those for job parts, so slow file servers don't delay jobs that already have their input.
 */
const CONCURRENT_INPUTS = 2;

/** Interval between deletions of old jobs, in milliseconds. */
const SWEEP_MS = 600_000;

/**
 * Starts a worker that fetches input for bulk jobs, runs the jobs, and deletes jobs that are older than seven days. Any
 * number of processes can run workers.
 *
 * @example
 * const worker = startBulkWorker({ store, clock: Date.now, dataset: () => DATASET, nomenclature: null, scanner,
 * certificates, concurrency: 2, name: 'host 4711', onFailure: console.error }); await worker.stop();
 */
export function startBulkWorker({
  certificates,
  concurrency,
  name,
  onFailure,
  inputSources = null,
  readParquet = null,
  ...deps
}: BulkWorkerDeps): Worker {
  const { store, clock } = deps;
  const service =
    certificates && createCertificateService(store, certificates, createDelivery(store, certificates.drawing));
  const sweep = () => store.bulkJobs.sweep(clock() - KEEP_MS, id => store.blobs.files.removeFolder(id));
  const sweeping = setInterval(() => sweep().catch(onFailure), SWEEP_MS);
  sweeping.unref();
  const parts = startQueueWorker({
    ...{ clock, name, concurrency: concurrency + 1, maxPerTenant: concurrency },
    claim: (worker, leaseMs, options) => store.bulkJobs.claim(worker, leaseMs, options),
    run: (part, { signal }) => runPart(part, { ...deps, certificates: service }, signal),
    async failureOf(error) {
      if (!(error instanceof ApiError)) onFailure(error);
      return { code: toApiError(error).code, isFinal: false };
    },
    logFailure: onFailure,
  });
  const inputs = startQueueWorker({
    ...{ clock, name, concurrency: inputSources ? CONCURRENT_INPUTS : 0, maxPerTenant: 1 },
    claim: (worker, leaseMs, options) => store.bulkJobs.claimInput(worker, leaseMs, options),
    run: (input, { signal }) => fetchInput(input, { store, readParquet, inputSources }, signal),
    async failureOf(error) {
      const { code } = toApiError(error);
      if (code === 'internal') onFailure(error);
      return { code, isFinal: !TEMPORARY_ERRORS.has(code) };
    },
    logFailure: onFailure,
  });
  return {
    async stop() {
      clearInterval(sweeping);
      await Promise.all([parts.stop(), inputs.stop()]);
    },
  };
}
