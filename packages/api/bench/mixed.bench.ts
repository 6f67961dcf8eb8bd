// Measures the latency of /healthz and of lookups while five keys concurrently request 100 certificates each.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentile, probe, report, show } from '@compliance/bench';
import supersede from '../src/operations/entry-gcc-supersede.ts';
import { lookupRequest, postRequest, startWorkerService } from './worker-service.ts';

const CERTIFICATES = 100;
/** Concurrent requests per key. */
const CONNECTIONS = 20;

const dataDir = await mkdtemp(join(tmpdir(), 'compliance-bench-'));
const { base, keys, stop } = await startWorkerService(dataDir, 9);
const [reader, ...drawers] = keys as [string, ...string[]];
const health = () => fetch(`${base}/healthz`);
const lookup = lookupRequest(base, reader);

async function draw(key: string, count: number): Promise<number[]> {
  const send = postRequest(`${base}/api/v1/entry/gcc/generate`, key, supersede.examples[0]!.request);
  const times: number[] = [];
  let left = count;
  const connection = async () => {
    while (left-- > 0) {
      const begun = performance.now();
      const response = await send();
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      await response.arrayBuffer();
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return times;
}

// Start every worker so that the measurement doesn't include loading the code and the fonts.
await Promise.all(drawers.map(key => draw(key, 6)));
await probe(lookup, { everyMs: 10, seconds: 2 });
const quiet = await probe(health, { everyMs: 10, seconds: 5 });

const begun = performance.now();
let isDrawing = true;
const drawing = Promise.all(drawers.map(key => draw(key, CERTIFICATES))).finally(() => {
  isDrawing = false;
});
const times: Record<'health' | 'lookup', number[]> = { health: [], lookup: [] };
while (isDrawing) {
  const [healths, lookups] = await Promise.all([
    probe(health, { everyMs: 10, seconds: 0.5 }),
    probe(lookup, { everyMs: 10, seconds: 0.5 }),
  ]);
  times.health.push(...healths);
  times.lookup.push(...lookups);
}
const certificates = (await drawing).flat();
const seconds = (performance.now() - begun) / 1_000;

const details = (values: readonly number[]) =>
  `p50 ${show(percentile(values, 0.5))} ms for ${values.length} requests; p99 latency of /healthz without certificate requests ${show(percentile(quiet, 0.99))} ms; ${certificates.length} certificates in ${show(seconds)} s, p99 ${show(percentile(certificates, 0.99))} ms`;
report([
  {
    what: 'p99 latency of /healthz while five keys request 100 certificates each',
    value: percentile(times.health, 0.99),
    unit: 'ms',
    limit: { atMost: 50 },
    details: details(times.health),
  },
  {
    what: 'p99 latency of lookups while five keys request 100 certificates each',
    value: percentile(times.lookup, 0.99),
    unit: 'ms',
    limit: { atMost: 100 },
    details: details(times.lookup),
  },
]);

stop();
await rm(dataDir, { recursive: true, force: true });
