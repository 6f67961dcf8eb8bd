import { joinRendering, type RenderedPage } from '@compliance/core/pixel';
import { DATASET } from '@compliance/core/tariff';
import type { Scanner, ScanRenderer } from '@compliance/crawler';
import { drawInProcess } from '@compliance/drawing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, createApi } from '../api.ts';
import { createCertificateService } from '../certificates/certificate-service.ts';
import { createLinks } from '../certificates/links.ts';
import { createDelivery } from '../certificates/marked-pdf.ts';
import childrens from '../operations/entry-cpc-generate.ts';
import generate from '../operations/entry-gcc-generate.ts';
import type { Job } from '../testing/job.ts';
import { startService } from '../testing/service.ts';
import { BULK_OPERATIONS } from './bulk-operations.ts';
import { runPart } from './run-part.ts';
import { startBulkWorker } from './worker.ts';

let service: Awaited<ReturnType<typeof startService>>;
let key: string;
beforeAll(async () => {
  service = await startService();
  key = await service.issue();
});
afterAll(() => service.stop());

const links = createLinks({ active: 'k1', keys: { k1: new Uint8Array(32).fill(7) } });
const certificates = { drawing: drawInProcess, links, baseUrl: 'http://service.test' };

const STEP = { decision: null, banner: null, skipped: null, complete: true, requests: 1, cookies: [], storage: [] };

/** A rendered page that sends one event before the visitor makes a consent choice. */
const RENDERED: RenderedPage = {
  url: 'https://shop.example/',
  phases: [
    { ...STEP, phase: 'load', step: 'page', url: 'https://shop.example/' },
    { ...STEP, phase: 'deny', step: 'page', url: 'https://shop.example/', decision: 'none' },
    { ...STEP, phase: 'deny', step: 'cart', url: null, skipped: 'robots', complete: false },
  ],
  beacons: [
    {
      ...{ vendor: 'meta', product: 'meta_pixel', id: '918273645546372', event: 'PageView' },
      ...{ parameters: { values: new Map(), complete: 'yes' }, personal: [] },
      ...{ event_id: null, consent: { purposes: {}, signals: {} } },
      ...{ phase: 'load', step: 'page', ms: 1, view: 1, intercepted: true },
      initiator: { kind: 'page', url: null, id: null, line: null, column: null },
    },
  ],
  ...{ calls: [], failures: [], stubbed: false, cut: null },
};

const headers = () => ({ Authorization: `Bearer ${key}` });
const create = async (request: object) =>
  (await (await service.post('/api/v1/jobs', request, headers())).json()) as Job;
const get = async (id: string) =>
  (await (await service.get(`/api/v1/jobs/${id}`, { headers: headers() })).json()) as Job;
const upload = ({ upload_url }: Job, body: string) =>
  service.api.fetch(new Request(upload_url, { method: 'PUT', body }));
const result = async ({ result_url }: Job) => await (await service.api.fetch(new Request(result_url))).text();
const depsOf = () => ({
  ...{ store: service.store, clock: () => service.time.now, dataset: () => DATASET, nomenclature: null },
});

/** Runs all jobs. */
async function work(): Promise<void> {
  const failures: unknown[] = [];
  const deps = { ...depsOf(), scanner: null, certificates, concurrency: 2, name: 'test' };
  const worker = startBulkWorker({ ...deps, onFailure: failure => failures.push(failure) });
  const isRunning = async () =>
    (await service.store.bulkJobs.list((await service.store.keys.authenticate(key))!.family, { limit: 9 })).some(
      ({ state }) => state === 'running',
    );
  await expect.poll(isRunning, { timeout: 15_000 }).toBe(false);
  await worker.stop();
  expect(failures).toEqual([]);
}

describe('the jobs API', () => {
  it('looks up a CSV file’s codes part by part and reports errors by row', async () => {
    const { rowsPerPart } = BULK_OPERATIONS['tariff.hts.lookup'];
    const job = await create({ operation: 'tariff.hts.lookup', format: 'csv', as_of: '2026-10-01' });
    expect(job).toMatchObject({ state: 'awaiting_input', rows: 0, result_url: null });
    const rows = Array.from({ length: rowsPerPart }, (_, i) => `P-${i},7318.15.2061,CN`);
    const file = [
      '\ufeffReference,Code,Origin',
      '"=cmd|x",0101.21.00,',
      'B,abc,',
      'C,7318.15.2061,Narnia',
      ...rows,
    ].join('\r\n');
    expect((await upload(job, file)).status).toBe(200);
    await work();
    const done = await get(job.id);
    expect(done).toMatchObject({
      state: 'done',
      rows: rowsPerPart + 3,
      processed_rows: rowsPerPart + 3,
      error_rows: 1,
    });
    const lines = (await result(done)).trimEnd().split('\n');
    expect(lines).toHaveLength(rowsPerPart + 4);
    expect(lines[0]).toBe('row,reference,code,status,hit,in_scope,normalized,programs,message,error,error_message');
    expect(lines[1]).toMatch(/^1,'=cmd\|x,0101\.21\.00,clear,false,false,0101\.21\.00,,/);
    expect(lines[2]).toMatch(/^2,B,abc,invalid,/);
    expect(lines[3]).toMatch(/^3,C,.*invalid_row/);
    expect(lines.at(-1)).toMatch(
      new RegExp(`^${rowsPerPart + 3},P-${rowsPerPart - 1},7318\\.15\\.2061,hit,true,true,`),
    );
  });

  it('keeps the results of finished parts when a job is canceled', async () => {
    const { rowsPerPart } = BULK_OPERATIONS['tariff.hts.lookup'];
    const job = await create({ operation: 'tariff.hts.lookup' });
    await upload(job, '"7318.15.2061"\n'.repeat(rowsPerPart + 1));
    const part = (await service.store.bulkJobs.claim('w', 60_000))!;
    const deps = { ...depsOf(), scanner: null, certificates: null };
    await part.complete(await runPart(part, deps, new AbortController().signal));
    const running = await get(job.id);
    expect(running).toMatchObject({ state: 'running', processed_rows: rowsPerPart });
    expect((await result(running)).trimEnd().split('\n')).toHaveLength(rowsPerPart);
    const cancelled = await service.post('/api/v1/jobs/cancel', { id: job.id }, headers());
    expect(await cancelled.json()).toMatchObject({ state: 'cancelled', processed_rows: rowsPerPart });
    expect(JSON.parse((await result(running)).split('\n')[0]!)).toMatchObject({
      row: 1,
      status: 'hit',
      programs: 'steel',
    });
  });

  it('issues one certificate per row, even if another worker runs a part again', async () => {
    const job = await create({ operation: 'entry.gcc.generate' });
    const row = generate.examples[0]!.request;
    const { manufacturer: _, ...invalid } = row as Record<string, unknown>;
    await upload(job, [row, invalid, row].map(each => JSON.stringify(each)).join('\n'));
    const { store } = service;
    const certificateService = createCertificateService(store, certificates, createDelivery(store, drawInProcess));
    const deps = { ...depsOf(), scanner: null, certificates: certificateService };
    const lost = (await store.bulkJobs.claim('dies', 1))!;
    await runPart(lost, deps, new AbortController().signal);
    const first = await result(await get(job.id));
    service.time.now += 2;
    const next = (await store.bulkJobs.claim('takes over', 60_000))!;
    await next.complete(await runPart(next, deps, new AbortController().signal));
    await expect(lost.complete({ rows: 3, errors: 0 })).rejects.toMatchObject({ code: 'lease_lost' });
    const done = await get(job.id);
    expect([first, done.state, done.error_rows]).toEqual(['', 'done', 1]);
    const rows = (await result(done))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(rows[1]).toMatchObject({
      row: 2,
      error: 'invalid_request',
      error_message: expect.stringContaining('manufacturer'),
    });
    const { family } = (await store.keys.authenticate(key))!;
    const issued = await store.certificates.search({ family, limit: 10 });
    expect(issued.map(({ id }) => id).sort()).toEqual([rows[0].gcc_id, rows[2].gcc_id].sort());
  });

  it('issues Children’s Product Certificates and rejects rows for general-use products or other certificate types', async () => {
    const job = await create({ operation: 'entry.cpc.generate' });
    const row = childrens.examples[0]!.request;
    const adult = { ...row, age_grading: { ages: { from_months: 216 } } };
    await upload(job, [row, generate.examples[0]!.request, adult].map(each => JSON.stringify(each)).join('\n'));
    const { store } = service;
    const certificateService = createCertificateService(store, certificates, createDelivery(store, drawInProcess));
    const part = (await store.bulkJobs.claim('w', 60_000))!;
    const deps = { ...depsOf(), scanner: null, certificates: certificateService };
    await part.complete(await runPart(part, deps, new AbortController().signal));
    const done = await get(job.id);
    expect(done).toMatchObject({ state: 'done', processed_rows: 3, error_rows: 2 });
    const [issued, general, refused] = (await result(done)).split('\n').map(line => (line ? JSON.parse(line) : null));
    const stored = (await store.certificates.get(issued.gcc_id))!;
    expect(JSON.parse(stored.record).format).toBe('cpc-1');
    expect([general.error_message, refused.error_message]).toEqual([
      expect.stringContaining('certificate_type'),
      expect.stringContaining('age_grading'),
    ]);
  });

  it('reruns a job’s failed parts days later without issuing a second certificate for any row', async () => {
    const job = await create({ operation: 'entry.gcc.generate' });
    const row = generate.examples[0]!.request;
    await upload(job, JSON.stringify(row));
    const { store } = service;
    const certificateService = createCertificateService(store, certificates, createDelivery(store, drawInProcess));
    const deps = { ...depsOf(), scanner: null, certificates: certificateService };
    const from = ++service.time.now;
    const failing = (await store.bulkJobs.claim('w', 60_000))!;
    await runPart(failing, deps, new AbortController().signal);
    await failing.fail('storage_full', { retryAt: null });
    expect(await get(job.id)).toMatchObject({ state: 'failed', processed_rows: 0 });
    service.time.now += 5 * 86_400_000;
    const redriven = await (await service.post('/api/v1/jobs/redrive', { id: job.id }, headers())).json();
    expect(redriven).toMatchObject({ id: job.id, state: 'running' });
    const again = (await store.bulkJobs.claim('w', 60_000))!;
    await again.complete(await runPart(again, deps, new AbortController().signal));
    const done = await get(job.id);
    expect(done).toMatchObject({ state: 'done', processed_rows: 1, error_rows: 0 });
    const { family } = (await store.keys.authenticate(key))!;
    const issued = await store.certificates.search({ family, from, limit: 10 });
    expect(issued.map(({ id }) => id)).toEqual([JSON.parse(await result(done)).gcc_id]);
    const unchanged = await (await service.post('/api/v1/jobs/redrive', { id: job.id }, headers())).json();
    expect(unchanged).toMatchObject({ state: 'done' });
  });

  it('lists only the account’s jobs in the key’s scope, newest first, one page at a time', async () => {
    const auth = { Authorization: `Bearer ${await service.issue()}` };
    const list = async (query = '', using: Record<string, string> = auth) =>
      (await (await service.get(`/api/v1/jobs${query}`, { headers: using })).json()) as {
        jobs: Job[];
        next_cursor: string | null;
        error?: string;
      };
    expect(await list()).toEqual({ jobs: [], next_cursor: null });
    const ids: string[] = [];
    for (const operation of ['tariff.hts.lookup', 'pixel.scan', 'entry.gcc.generate']) {
      const { id } = (await (await service.post('/api/v1/jobs', { operation }, auth)).json()) as Job;
      ids.unshift(id);
      service.time.now += 1;
    }
    const first = await list('?limit=2');
    expect([first.jobs.map(({ id }) => id), first.next_cursor]).toEqual([ids.slice(0, 2), ids[1]]);
    const second = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect([second.jobs.map(({ id }) => id), second.next_cursor]).toEqual([ids.slice(2), null]);
    expect((await list('?operation=pixel.scan')).jobs.map(({ id }) => id)).toEqual([ids[1]]);
    expect(await list('?cursor=x')).toMatchObject({ error: 'invalid_request' });
    const pixel = { Authorization: `Bearer ${await service.issue('pixel')}` };
    await service.post('/api/v1/jobs', { operation: 'pixel.scan' }, pixel);
    expect((await list('', pixel)).jobs).toHaveLength(1);
    expect(await list('?operation=tariff.hts.lookup', pixel)).toMatchObject({ error: 'scope' });
  });

  it('accepts rendering jobs only from keys with the render scope, and only if the service renders pages', async () => {
    const createWith = async (scope: 'pixel' | 'render', operation: string, { fetch }: Api = service.api) => {
      const auth = { Authorization: `Bearer ${await service.issue(scope)}`, 'Content-Type': 'application/json' };
      const request = { method: 'POST', headers: auth, body: JSON.stringify({ operation }) };
      return await (await fetch(new Request('http://service.test/api/v1/jobs', request))).json();
    };
    const withoutBrowser = createApi({ store: service.store, clock: () => service.time.now });
    expect(await createWith('pixel', 'pixel.render')).toEqual({ error: 'scope' });
    expect(await createWith('render', 'pixel.render', withoutBrowser)).toMatchObject({
      error: 'unavailable',
      message: expect.stringContaining("doesn't render pages"),
    });
    for (const operation of ['pixel.render', 'pixel.scan'])
      expect(await createWith('render', operation)).toMatchObject({ state: 'awaiting_input' });
  });

  it('renders scanned pages and reports each verdict and step outcome', async () => {
    const auth = { Authorization: `Bearer ${await service.issue('render')}` };
    const rows: string[] = [];
    for (const format of ['csv', 'ndjson']) {
      const request = { operation: 'pixel.render', format, journey: ['cart', 'product'] };
      const job = (await (await service.post('/api/v1/jobs', request, auth)).json()) as Job;
      const file = format === 'csv' ? 'url,reference\nhttps://shop.example/,A' : '"https://shop.example/"';
      expect(await (await upload(job, file)).json()).toMatchObject({ state: 'running' });
      const part = (await service.store.bulkJobs.claim('w', 60_000))!;
      const journeys: unknown[] = [];
      /** Simulates a browser that finds one problem and isn't allowed to open the cart. */
      const renderScan: ScanRenderer = async (scan, { journey } = {}) => {
        journeys.push(journey);
        const { phases, ...page } = RENDERED;
        const layers = { noRoutes: true, watched: false };
        const events = [{ phase: 'load', step: 'page', vendor: 'meta', event: 'PageView', count: 1 }] as const;
        return { ...joinRendering(scan, { ...page, phases }), phases, beacons: 1, events, cut: null, layers };
      };
      const deps = { ...depsOf(), scanner: service.scanner, renderScan, certificates: null };
      await part.complete(await runPart(part, deps, new AbortController().signal));
      expect(journeys).toEqual([['product', 'cart']]);
      const { result_url } = (await (await service.get(`/api/v1/jobs/${job.id}`, { headers: auth })).json()) as Job;
      rows.push((await (await service.api.fetch(new Request(result_url))).text()).trimEnd());
    }
    const [header, cells] = rows[0]!.split('\n');
    const csv = Object.fromEntries(header!.split(',').map((name, index) => [name, cells!.split(',')[index]]));
    expect(csv).toMatchObject({
      ...{ row: '1', reference: 'A', url: 'https://shop.example/', events: '1', cut: '', isolation: 'noRoutes' },
      ...{ steps: 'load/page:complete deny/page:no_choice deny/cart:robots', error: '' },
      traffic: 'sent_before_choice unknown_tag',
    });
    const { score, static_score, verdicts, traffic, not_seen, steps, isolation } = JSON.parse(rows[1]!);
    expect([`${score}`, `${static_score}`]).toEqual([csv.score, csv.static_score]);
    expect(verdicts.length).toBeGreaterThan(0);
    expect(verdicts[0]).toEqual({
      ...{ rule_id: expect.any(String), ids: expect.any(Array), evidence: expect.any(String) },
      verdict: expect.stringMatching(/^(confirmed|refuted|unseen)$/),
    });
    expect(traffic[0]).toMatchObject({ code: 'sent_before_choice', message: expect.stringContaining('PageView') });
    expect(steps.map(({ skipped }: { skipped: string | null }) => skipped)).toEqual([null, null, 'robots']);
    expect(steps.map(({ sent }: { sent: unknown }) => sent)).toEqual([
      ...[[{ vendor: 'meta', event: 'PageView', count: 1 }], [], []],
    ]);
    expect(not_seen).toContainEqual(expect.stringContaining('robots.txt'));
    expect(isolation).toEqual({ noRoutes: true, watched: false });
  });

  it('starts a job even if another account’s slow scans occupy all of that account’s slots', async () => {
    const [slow, quick] = [await service.issue(), await service.issue()].map(each => ({
      Authorization: `Bearer ${each}`,
    }));
    const createFor = async (auth: Record<string, string>, operation: string, rows: number, row: string) => {
      const job = (await (await service.post('/api/v1/jobs', { operation }, auth)).json()) as Job;
      await upload(job, `${row}\n`.repeat(rows));
      return job.id;
    };
    const { rowsPerPart } = BULK_OPERATIONS['pixel.scan'];
    await createFor(slow!, 'pixel.scan', 10 * rowsPerPart, '"https://slow.example/"');
    let scanning = 0;
    /** Scans a storefront that never responds. */
    const scanner: Scanner = (_, { caller }) => {
      scanning++;
      return new Promise((_, reject) => caller!.signal!.addEventListener('abort', reject));
    };
    const deps = { ...depsOf(), scanner, certificates: null, concurrency: 2, name: 'test', onFailure: () => {} };
    const worker = startBulkWorker(deps);
    await expect.poll(() => scanning, { timeout: 5_000 }).toBe(2);
    await new Promise(resolve => setTimeout(resolve, 1_000));
    expect(scanning).toBe(2);
    const id = await createFor(quick!, 'tariff.hts.lookup', 1, '"7318.15.2061"');
    const stateOf = async () =>
      ((await (await service.get(`/api/v1/jobs/${id}`, { headers: quick! })).json()) as Job).state;
    await expect.poll(stateOf, { timeout: 3_000 }).toBe('done');
    await worker.stop();
  });

  it('rejects an invalid or expired link, a second file, and a file without rows', async () => {
    const job = await create({ operation: 'tariff.hts.lookup', format: 'csv' });
    const reject = async (url: string, body = 'code\n7318') => {
      const response = await service.api.fetch(new Request(url, { method: 'PUT', body }));
      return ((await response.json()) as { error: string }).error;
    };
    expect(await reject(job.upload_url.replace('/input', '/result'))).toBe('method_not_allowed');
    expect(
      await reject(`${job.upload_url.slice(0, -1)}0`.replace(/0$/, job.upload_url.endsWith('0') ? '1' : '0')),
    ).toBe('link_invalid');
    expect(await reject(job.upload_url, 'code\n\n')).toBe('invalid_request');
    expect(await reject(job.upload_url, `code\n${'7'.repeat(300_000)}\n`)).toBe('invalid_request');
    expect((await upload(job, 'code\n7318.15.2061')).status).toBe(200);
    expect(await reject(job.upload_url)).toBe('job_started');
    const { result_url } = await get(job.id);
    const later = service.time.now;
    service.time.now += 3_600_001;
    const response = await service.api.fetch(new Request(result_url));
    expect(await response.json()).toMatchObject({ error: 'link_expired' });
    service.time.now = later;
  });

  it.each([
    ['template', { operation: 'tariff.hts.lookup', template: {} }],
    ['result_format', { operation: 'entry.gcc.generate', result_format: 'parquet' }],
    ['as_of', { operation: 'pixel.scan', as_of: '2026-10-01' }],
    ['origin', { operation: 'entry.gcc.generate', origin: 'DE' }],
  ])('rejects a job if its operation doesn’t support the specified `%s`', async (path, body) => {
    const response = await service.post('/api/v1/jobs', body, headers());
    expect([response.status, await response.json()]).toMatchObject([400, { issues: [{ path }] }]);
  });

  it('requires the scope of the job’s operation and hides a job from other accounts', async () => {
    const pixel = { Authorization: `Bearer ${await service.issue('pixel')}` };
    const post = async (body: object, auth: Record<string, string>) =>
      ((await (await service.post('/api/v1/jobs', body, auth)).json()) as { error?: string }).error;
    expect(await post({ operation: 'tariff.hts.lookup' }, pixel)).toBe('scope');
    expect(await post({ operation: 'pixel.scan' }, pixel)).toBeUndefined();
    const { id } = await create({ operation: 'tariff.hts.lookup' });
    const response = await service.get(`/api/v1/jobs/${id}`, { headers: pixel });
    expect(await response.json()).toMatchObject({ error: 'job_not_found' });
  });
});
