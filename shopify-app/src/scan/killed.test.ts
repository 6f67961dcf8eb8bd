import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sampleShop } from '@compliance/fake-shopify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness, newestScan } from '../../test/job-harness.ts';
import { startScan } from './start-scan.ts';

let harness: JobHarness;
beforeEach(async () => {
  harness = await createJobHarness();
});
afterEach(() => harness.close());

/** Time, in milliseconds, that's long enough for a lease without heartbeats to expire. */
const LEASE_EXPIRED_MS = 31_000;

/** Starts a scan in another process and delays the theme read. */
async function startElsewhere(name: string) {
  const { domain } = await harness.install(sampleShop(name));
  harness.fakeShopify.faults.plan({ kind: 'slow', ms: 3_000 }, { operation: 'ThemeFiles' });
  const { id } = await startScan(harness.app.offlineContext(domain), 'merchant');
  const program = join(import.meta.dirname, '../../test/worker-process.ts');
  const child = spawn(
    process.execPath,
    ['--conditions=@compliance/source', program, harness.dataDir, harness.fakeShopify.url, name],
    { stdio: ['ignore', 'ignore', 'inherit'], timeout: 50_000, killSignal: 'SIGKILL' },
  );
  const closed = once(child, 'close');
  const isReading = () =>
    harness.fakeShopify.calls.some(call => call.shop === domain && call.operation === 'ThemeFiles');
  await expect.poll(isReading, { timeout: 30_000 }).toBe(true);
  return { domain, id, child, closed };
}

/** Resumes the scan in another worker and returns the result. */
async function resumeHere(domain: string, id: string) {
  harness.advance(LEASE_EXPIRED_MS);
  await harness.work(domain);
  const shop = harness.store.shop(domain);
  const job = await shop.jobs.get(id);
  return { job, scans: (await shop.scans.list({ limit: 10 })).rows };
}

const signal = (child: ChildProcess, name: NodeJS.Signals) => process.kill(child.pid!, name);

describe('killed worker processes', () => {
  it('records only one scan when another worker resumes a killed worker’s scan', async () => {
    const { domain, id, child, closed } = await startElsewhere('killed');
    signal(child, 'SIGKILL');
    expect(await closed).toEqual([null, 'SIGKILL']);
    const { job, scans } = await resumeHere(domain, id);
    expect(job).toMatchObject({ state: 'done', attempts: 2 });
    expect(scans.map(scan => [scan.id, scan.state])).toEqual([[id, 'complete']]);
  });

  it('rejects writes from a paused worker after another worker has resumed the scan', async () => {
    const { domain, id, child, closed } = await startElsewhere('frozen');
    signal(child, 'SIGSTOP');
    const { job, scans } = await resumeHere(domain, id);
    expect(job).toMatchObject({ state: 'done', attempts: 2 });
    const recorded = await newestScan(harness.store.shop(domain));
    signal(child, 'SIGCONT');
    expect(await closed).toEqual([0, null]);
    expect(scans.map(scan => scan.id)).toEqual([id]);
    expect(await newestScan(harness.store.shop(domain))).toEqual(recorded);
    expect(await harness.store.shop(domain).jobs.get(id)).toEqual(job);
  });
});
