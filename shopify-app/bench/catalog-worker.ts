import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createJobHarness } from '../test/job-harness.ts';

/**
 * Runs a shop's jobs, and prints the longest time, in milliseconds, that the event loop was blocked: `node
 * catalog-worker.ts <data folder> <fake Shopify URL> <shop domain>`.
 */
const [dataDir, url, domain] = process.argv.slice(2) as [string, string, string];
const harness = await createJobHarness({ dataDir, url });
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
await harness.work(domain);
delay.disable();
await harness.close();
process.stdout.write(`${Math.round(delay.max / 1e6)}\n`);
