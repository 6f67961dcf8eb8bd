// Measures the longest time that reading a large catalog blocks the event loop of the process running the job. The
// process also serves pages and renews leases, so another merchant might have to wait this long.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { report } from '@compliance/bench';
import { bigShop } from '@compliance/fake-shopify';
import { startCatalogRead } from '../src/catalog/catalog.ts';
import { createJobHarness } from '../test/job-harness.ts';

const VARIANTS = 50_000;

const harness = await createJobHarness();
const given = bigShop(VARIANTS);
const shop = await harness.install(given);
await startCatalogRead(shop);
const program = join(import.meta.dirname, 'catalog-worker.ts');
const argv = ['--conditions=@compliance/source', program, harness.dataDir, harness.fakeShopify.url, given.domain];
const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
const { total } = await shop.variants.counts();
if (total !== VARIANTS) throw new Error(`The job stored ${total} of ${VARIANTS} variants.`);
report([
  {
    what: `longest event loop stall while a job reads ${VARIANTS.toLocaleString('en-US')} variants on SQLite`,
    ...{ value: Number(output), unit: 'ms', limit: { atMost: 100 } },
    details: 'one process, one job',
  },
]);
await harness.close();
