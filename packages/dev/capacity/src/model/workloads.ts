import { INPUTS } from './inputs.ts';
import type { PartTimes } from './part-times.ts';

/** Measured resource use of one part, including the number of database rows written and the size of the files. */
export interface PartNeeds {
  readonly times: PartTimes;
  readonly rows: number;
  readonly walBytes: number;
  readonly fileBytes: number;
}

/** Resources that a workload needs. */
export interface Workload {
  readonly name: string;
  /** Maximum time for finishing the work, in hours. */
  readonly hours: number;
  /** Core hours that the processes and the database use. */
  readonly cores: { readonly processes: number; readonly database: number };
  /** Number of processes required to finish the work in time. */
  readonly processes: number;
  /** Database rows written. */
  readonly rows: number;
  /** Storage size in gigabytes. */
  readonly gigabytes: { readonly database: number; readonly files: number };
  /** CPU cost per run, and storage cost per month, in US dollars. */
  readonly dollars: { readonly run: number; readonly storageMonth: number };
}

const HOUR_MS = 3_600_000;
const GB = 1e9;

interface Totals {
  readonly name: string;
  readonly hours: number;
  readonly cpuMs: number;
  readonly databaseMs: number;
  readonly rows: number;
  readonly databaseBytes: number;
  readonly fileBytes: number;
  /** Total time in milliseconds that the work occupies lanes, and number of lanes per process. */
  readonly lanes?: { readonly ms: number; readonly perProcess: number };
}

function workload({ name, hours, cpuMs, databaseMs, rows, databaseBytes, fileBytes, lanes }: Totals): Workload {
  const { prices, use } = INPUTS;
  const cores = { processes: cpuMs / HOUR_MS, database: databaseMs / HOUR_MS };
  const gigabytes = { database: databaseBytes / GB, files: fileBytes / GB };
  const forLanes = lanes ? lanes.ms / HOUR_MS / lanes.perProcess / hours : 0;
  return {
    ...{ name, hours, cores, rows, gigabytes },
    processes: Math.ceil(Math.max(cores.processes / hours / use, forLanes)),
    dollars: {
      run: ((cores.processes + cores.database) / use) * prices.coreHour,
      storageMonth: gigabytes.database * prices.databaseGbMonth + gigabytes.files * prices.objectGbMonth,
    },
  };
}

/** Returns the time that a part keeps its process busy, in milliseconds. */
const processMs = ({ mainThread, otherThreads, blocked }: PartTimes) => mainThread + otherThreads + blocked;

/**
 * Returns the resources that the workloads on the capacity page need.
 *
 * @param codes measured resource use of a job part with 5,000 codes
 * @param certificates measured resource use of a part with 10 certificates
 */
export function workloads(codes: PartNeeds, certificates: PartNeeds): Workload[] {
  const { hours, scan, shops, certificateBytes } = INPUTS;
  const [codeParts, certificateParts, scans, shopCount] = [2_000, 100_000, 100_000, 10_000];
  const perShop = (each: Readonly<Record<'variant' | 'webhook' | 'scan', number>>) =>
    shops.variants * each.variant + shops.webhooks * each.webhook + shops.scans * each.scan;
  return [
    workload({
      ...{ name: '10 million codes', hours: hours.codes },
      cpuMs: codeParts * processMs(codes.times),
      databaseMs: codeParts * codes.times.database,
      rows: codeParts * codes.rows,
      databaseBytes: codeParts * 1_000,
      fileBytes: codeParts * codes.fileBytes,
    }),
    workload({
      ...{ name: '100,000 storefronts overnight', hours: hours.scans },
      cpuMs: scans * scan.cpuMs,
      databaseMs: (scans / 10) * certificates.times.database,
      rows: (scans / 10) * codes.rows,
      databaseBytes: (scans / 10) * 1_000,
      fileBytes: scans * scan.resultBytes,
      lanes: { ms: scans * (scan.fetchSeconds * 1000 + scan.cpuMs), perProcess: 2 },
    }),
    workload({
      ...{ name: '1 million certificates', hours: hours.certificates },
      cpuMs: certificateParts * processMs(certificates.times),
      databaseMs: certificateParts * certificates.times.database,
      rows: certificateParts * certificates.rows,
      databaseBytes: certificateParts * (10 * certificateBytes.rows + 1_000),
      fileBytes: certificateParts * (10 * certificateBytes.pdf + certificates.fileBytes),
      lanes: {
        ms: certificateParts * (processMs(certificates.times) + certificates.times.database + certificates.times.wait),
        perProcess: 2,
      },
    }),
    workload({
      ...{ name: '10,000 shops for one day', hours: 24 },
      cpuMs: shopCount * perShop(shops.cpuMs),
      databaseMs: shopCount * perShop(shops.rows) * (certificates.times.database / certificates.rows),
      rows: shopCount * perShop(shops.rows),
      databaseBytes: shopCount * (shops.variants * shops.bytes.variant + shops.bytes.keptScans * shops.bytes.scan),
      fileBytes: 0,
    }),
  ];
}
