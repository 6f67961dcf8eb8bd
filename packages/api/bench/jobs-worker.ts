import { DATASET } from '@compliance/core/tariff';
import { drawInProcess } from '@compliance/drawing';
import { openStore } from '@compliance/store';
import { createLinks } from '../src/certificates/links.ts';
import { startBulkWorker } from '../src/jobs/worker.ts';

/**
 * Runs bulk jobs in a separate process until stdin is closed, and then prints the process's peak memory in bytes:
 * `node jobs-worker.ts <data folder> [<database URL>]`.
 */
const [dataDir, databaseUrl] = process.argv.slice(2) as [string, string | undefined];
const store = await openStore({ dataDir, databaseUrl, clock: Date.now });
const links = createLinks({ active: 'k1', keys: { k1: new Uint8Array(32).fill(7) } });
const worker = startBulkWorker({
  ...{ store, clock: Date.now, dataset: () => DATASET, nomenclature: null, scanner: null },
  certificates: { drawing: drawInProcess, links, baseUrl: 'http://service.test' },
  ...{ concurrency: 2, name: `${process.pid}` },
  onFailure: failure => process.stderr.write(`${failure}\n`),
});
process.stdin.resume().once('end', async () => {
  await worker.stop();
  await store.close();
  process.stdout.write(`${process.resourceUsage().maxRSS * 1024}\n`);
});
