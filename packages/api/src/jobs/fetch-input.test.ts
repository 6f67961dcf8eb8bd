import { DATASET } from '@compliance/core/tariff';
import { certificateFor } from '@compliance/crawler/testing';
import { createS3Input } from '@compliance/store';
import { startS3 } from '@compliance/store/testing';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '../testing/job.ts';
import { startService } from '../testing/service.ts';
import { startBulkWorker } from './worker.ts';

const CSV = 'reference,code\nBOLT-8,7318.15.2061\n';

let s3: Awaited<ReturnType<typeof startS3>>;
let service: Awaited<ReturnType<typeof startService>>;
let headers: Record<string, string>;
let worker: ReturnType<typeof startBulkWorker>;
const failures: unknown[] = [];
/** File server responses, by path: a status, a `Location`, or a file. */
const served = new Map<string, number | string | Uint8Array>();
const requested: string[] = [];

beforeAll(async () => {
  s3 = await startS3();
  service = await startService({ s3Input: createS3Input({ ...s3.options, prefix: 'codes/' }) });
  headers = { Authorization: `Bearer ${await service.issue()}` };
  const { network, store, time, inputSources, readParquet } = service;
  const certificate = await certificateFor('files.example', { trusted: true });
  await network.secureSite('files.example', certificate, (request, response) => {
    requested.push(request.url!);
    const content = served.get(request.url!) ?? 404;
    if (typeof content === 'number') response.writeHead(content).end();
    else if (typeof content === 'string') response.writeHead(302, { Location: content }).end();
    else response.end(content);
  });
  network.names.set('intranet.example', ['10.0.0.7']);
  worker = startBulkWorker({
    ...{ store, clock: () => time.now, dataset: () => DATASET, nomenclature: null, scanner: null, certificates: null },
    ...{ inputSources, readParquet, concurrency: 2, name: 'test' },
    onFailure: failure => failures.push(failure),
  });
});
afterAll(async () => {
  await worker.stop();
  await Promise.all([service.stop(), s3.stop()]);
  expect(failures).toEqual([]);
});

const create = async (input_url: string, request: object = { format: 'csv' }): Promise<Job> => {
  const body = { operation: 'tariff.hts.lookup', as_of: '2026-10-01', input_url, ...request };
  return (await (await service.post('/api/v1/jobs', body, headers)).json()) as Job;
};
const get = async ({ id }: Job) => (await (await service.get(`/api/v1/jobs/${id}`, { headers })).json()) as Job;
const stored = async ({ id }: Job) => (await service.store.bulkJobs.find(id))!;
const ended = async (job: Job) => {
  await expect.poll(async () => (await stored(job)).state, { timeout: 20_000 }).not.toBe('running');
  return await get(job);
};
const result = async ({ result_url }: Job) => await (await service.api.fetch(new Request(result_url))).text();

describe('a job with an input URL', () => {
  it('reads a CSV file from the operator’s bucket and a Parquet file from a signed URL', async () => {
    s3.objects.set('codes/november 1.csv', Buffer.from(CSV));
    const parquet = parquetWriteBuffer({ columnData: [{ name: 'code', data: ['7318.15.2061'], type: 'STRING' }] });
    served.set('/codes.parquet?signature=a1', new Uint8Array(parquet));
    const created = await create('s3://test/codes/november 1.csv');
    expect(created).toMatchObject({ state: 'running', rows: 0, upload_url: null, result_url: null });
    const [fromS3, fromUrl] = [
      await ended(created),
      await ended(
        await create('https://files.example/codes.parquet?signature=a1', { format: 'parquet', result_format: 'csv' }),
      ),
    ];
    expect([fromS3, fromUrl]).toMatchObject([
      { state: 'done', rows: 1, input_error: null },
      { state: 'done', rows: 1, input_error: null },
    ]);
    expect(await result(fromS3)).toContain('\n1,BOLT-8,7318.15.2061,hit,');
    expect(await result(fromUrl)).toContain('\n1,,7318.15.2061,hit,');
    // The signed URL is deleted once the file has been fetched.
    expect((await stored(fromUrl)).source).toBeNull();
  });

  it('is rejected unless its URL is a public HTTPS URL or an object in the operator’s S3 location', async () => {
    s3.objects.set('blobs/secret.pdf', Buffer.from('secret'));
    const dialed = service.network.dialed.length;
    const s3Requests = s3.log.length;
    for (const [url, message] of [
      ['https://127.0.0.1/codes.csv', /public server/],
      ['https://169.254.169.254/latest/meta-data', /public server/],
      ['https://[::ffff:10.0.0.1]/', /public server/],
      ['https://metadata.google.internal/', /public server/],
      ['http://files.example/codes.csv', /^Enter an S3 URL, or an HTTPS URL/],
      ['https://files.example:9000/codes.csv', /^Enter an S3 URL, or an HTTPS URL/],
      ['file:///etc/passwd', /^Enter an S3 URL, or an HTTPS URL/],
      ['s3://other/codes/a.csv', /^Enter the URL of an object in s3:\/\/test\/codes\//],
      ['s3://test/blobs/secret.pdf', /^Enter the URL of an object/],
      ['s3://test/codes/../blobs/secret.pdf', /^Enter the URL of an object/],
      ['s3://test/codes/', /^Enter the URL of an object/],
    ] as const) {
      const { issues } = await create(url);
      expect([url, issues]).toEqual([
        url,
        [expect.objectContaining({ path: 'input_url', message: expect.stringMatching(message) })],
      ]);
    }
    expect([service.network.dialed.length, s3.log.length]).toEqual([dialed, s3Requests]);
  });

  it('fails without connecting if the hostname or a redirect target resolves to a private address', async () => {
    served.set('/moved', 'https://10.0.0.7/codes.csv');
    const before = service.network.dialed.length;
    const [direct, moved] = [
      await create('https://intranet.example/codes.csv'),
      await create('https://files.example/moved'),
    ];
    expect(await ended(direct)).toMatchObject({ state: 'failed', input_error: { code: 'invalid_request' } });
    expect(await ended(moved)).toMatchObject({
      state: 'failed',
      input_error: { message: "The URL or one of its redirects doesn't point to a public server." },
    });
    expect(service.network.dialed.slice(before).filter(address => address.startsWith('10.'))).toEqual([]);
  });

  it('fails with a clear error if the file is missing or can’t be used, and fetches it again when the job is redriven', async () => {
    served.set('/empty.csv', new TextEncoder().encode('code\n'));
    const missing = await ended(await create('s3://test/codes/missing.csv'));
    expect(missing).toMatchObject({
      ...{ state: 'failed', rows: 0, result_url: null },
      input_error: { code: 'invalid_request', message: "The object doesn't exist, or the service can't read it." },
    });
    expect(await ended(await create('https://files.example/missing.csv'))).toMatchObject({
      input_error: { message: "The server didn't send the file (status 404)." },
    });
    expect(await ended(await create('https://files.example/empty.csv'))).toMatchObject({
      input_error: { message: 'The file has no rows.' },
    });
    s3.objects.set('codes/missing.csv', Buffer.from(CSV));
    // Canceling a failed job has no effect, so the job can still be redriven.
    await service.post('/api/v1/jobs/cancel', { id: missing.id }, headers);
    expect(await get(missing)).toMatchObject({ state: 'failed' });
    const redriven = await (await service.post('/api/v1/jobs/redrive', { id: missing.id }, headers)).json();
    expect(redriven).toMatchObject({ state: 'running', input_error: null });
    expect(await ended(missing)).toMatchObject({ state: 'done', rows: 1 });
  });

  it('is fetched again after a file server failure, and can be canceled before the retry', async () => {
    served.set('/busy.csv', 503);
    const job = await create('https://files.example/busy.csv');
    await expect.poll(async () => (await stored(job)).inputError, { timeout: 10_000 }).not.toBeNull();
    expect(await get(job)).toMatchObject({ state: 'running', input_error: { code: 'unavailable' } });
    served.set('/busy.csv', new TextEncoder().encode(CSV));
    service.time.now += 60_000;
    expect(await ended(job)).toMatchObject({ state: 'done', input_error: null });
    served.set('/busy.csv', 503);
    const canceled = await create('https://files.example/busy.csv');
    await service.post('/api/v1/jobs/cancel', { id: canceled.id }, headers);
    expect(await get(canceled)).toMatchObject({ state: 'cancelled', rows: 0 });
  });
});
