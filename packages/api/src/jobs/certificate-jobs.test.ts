import { buffer } from 'node:stream/consumers';
import { attachmentsIn } from '@compliance/core/entry';
import { DATASET } from '@compliance/core/tariff';
import { describeWithPostgres, type Postgres, type S3, startS3 } from '@compliance/store/testing';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromBufferPromise as openZip } from 'yauzl';
import { createCertificateService } from '../certificates/certificate-service.ts';
import { createDelivery } from '../certificates/marked-pdf.ts';
import childrens from '../operations/entry-cpc-generate.ts';
import generate from '../operations/entry-gcc-generate.ts';
import type { Job } from '../testing/job.ts';
import { startService } from '../testing/service.ts';
import { runPart } from './run-part.ts';
import { startBulkWorker } from './worker.ts';

/** A row's result. */
interface Row {
  row: number;
  line?: number;
  key?: string;
  gcc_id?: string;
  status?: string;
  error?: string;
  error_message?: string;
  problems?: { column: string; message: string }[];
}

const { product_info, ...TEMPLATE } = generate.examples[0]!.request as Record<string, unknown>;
const PLACE = (product_info as { place_of_manufacture: string }).place_of_manufacture;
const COLUMNS = ['sku', 'name', 'date_of_manufacture', 'place_of_manufacture'].map(field => `product_info.${field}`);
const HEADER = `${COLUMNS.join(',')},manufacturer.address`;
const rowOf = (at: number) => `S-${at},"Helmet, size ${at}",2026-09-14,"${PLACE}","88 Keyuan Road\nShenzhen, China"`;
const fileOf = (...rows: readonly string[]) => [HEADER, ...rows].join('\r\n');

/** Returns the contents of the files in a ZIP file, by filename. */
async function filesIn(zip: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const opened = await openZip(zip);
  for await (const entry of opened.eachEntry())
    files.set(entry.fileName, await buffer(await opened.openReadStreamPromise(entry)));
  return files;
}

/** Registers the tests for one combination of database and file storage. */
function registerTests(startStorage: () => Promise<{ postgres?: Postgres; s3?: S3 }>): void {
  let storage: { postgres?: Postgres; s3?: S3 };
  let service: Awaited<ReturnType<typeof startService>>;
  let headers: Record<string, string>;
  beforeAll(async () => {
    storage = await startStorage();
    const { postgres, s3 } = storage;
    service = await startService({ storage: { databaseUrl: postgres?.url, s3: s3?.options } });
    headers = { Authorization: `Bearer ${await service.issue()}` };
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([storage.postgres?.stop(), storage.s3?.stop()]);
  });

  const create = async (request: object) =>
    (await (
      await service.post('/api/v1/jobs', { operation: 'entry.gcc.generate', format: 'csv', ...request }, headers)
    ).json()) as Job;
  const upload = async ({ upload_url }: Job, body: string | Uint8Array<ArrayBuffer>) =>
    (await (await service.api.fetch(new Request(upload_url, { method: 'PUT', body }))).json()) as Job;
  const get = async (id: string) => (await (await service.get(`/api/v1/jobs/${id}`, { headers })).json()) as Job;
  const rowsIn = async ({ result_url }: Job) =>
    (await (await service.api.fetch(new Request(result_url))).text())
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as Row);
  const download = async (url: string) => Buffer.from(await (await service.api.fetch(new Request(url))).arrayBuffer());
  const deps = () => ({
    ...{ store: service.store, clock: () => service.time.now, dataset: () => DATASET, nomenclature: null },
    scanner: null,
  });
  const recordOf = async ({ gcc_id }: Row) => JSON.parse((await service.store.certificates.get(gcc_id!))!.record);
  const issuedSince = async (from: number) => {
    const { family } = (await service.store.keys.authenticate(headers.Authorization!.slice('Bearer '.length)))!;
    return await service.store.certificates.search({ family, from, limit: 1_000 });
  };

  /** Runs a worker until a job ends. */
  async function finish(id: string): Promise<Job> {
    const failures: unknown[] = [];
    const worker = startBulkWorker({
      ...{ ...deps(), certificates: service.certificates, concurrency: 2, name: 'test' },
      onFailure: failure => failures.push(failure),
    });
    await expect.poll(async () => (await get(id)).state, { timeout: 20_000 }).not.toBe('running');
    await worker.stop();
    expect(failures).toEqual([]);
    return await get(id);
  }

  it('issues a certificate for each CSV row and fills in shared fields from a template', async () => {
    const job = await create({ template: TEMPLATE });
    const rows = Array.from({ length: 12 }, (_, at) => rowOf(at));
    expect(await upload(job, `\ufeff${fileOf(...rows)}\r\n\r\n`)).toMatchObject({ state: 'running', rows: 12 });
    const done = await finish(job.id);
    expect(done).toMatchObject({ state: 'done', processed_rows: 12, error_rows: 0 });
    const results = await rowsIn(done);
    expect(results.map(({ row, line, key }) => [row, line, key])).toEqual(
      rows.map((_, at) => [at + 1, 2 + 2 * at, `S-${at}`]),
    );
    const record = await recordOf(results[7]!);
    expect(record.request.product_info).toMatchObject({ name: 'Helmet, size 7', sku: 'S-7' });
    expect(record.request.manufacturer.address).toContain('Keyuan Road');
  });

  it('reports the line and columns of each invalid row and still issues the other certificates', async () => {
    const job = await create({ template: TEMPLATE });
    const file = fileOf(
      rowOf(1),
      'S-2,"Helmet\nin two lines",2026-02-30',
      ',Helmet,2026-09-14',
      's-1,Helmet,2026-09-14',
      'S-3,Helmet,2026-09-14',
      rowOf(5),
    );
    await upload(job, file);
    const done = await finish(job.id);
    expect(done).toMatchObject({ state: 'done', processed_rows: 6, error_rows: 4 });
    const results = await rowsIn(done);
    expect(results.map(({ line, key, problems }) => [line, key, problems?.map(({ column }) => column)])).toEqual([
      [2, 'S-1', undefined],
      [4, 'S-2', ['product_info.name', 'product_info.date_of_manufacture', 'product_info.place_of_manufacture']],
      [6, undefined, ['product_info.sku']],
      [7, undefined, ['product_info.sku']],
      [8, 'S-3', ['product_info.place_of_manufacture']],
      [9, 'S-5', undefined],
    ]);
    expect(results.map(({ error_message }) => error_message)).toEqual([
      undefined,
      expect.stringMatching(/^line 4, product_info\.name: .*control characters/),
      'line 6, product_info.sku: is empty, so the row can’t be identified',
      'line 7, product_info.sku: results in the same filename as line 2',
      'line 8, product_info.place_of_manufacture: is required',
      undefined,
    ]);
  });

  it('issues certificates from Parquet and NDJSON rows and fills in shared fields from a template', async () => {
    const { address: _, ...manufacturer } = TEMPLATE.manufacturer as Record<string, unknown>;
    const columnData = [
      ...COLUMNS.map((name, at) => ({ name, data: [['P-1', 'Helmet', '2026-09-14', PLACE][at], null] })),
      { name: 'manufacturer.address', data: ['1 Elm Street, Shenzhen, China', null] },
    ].map(column => ({ ...column, type: 'STRING' as const }));
    const parquet = await create({ format: 'parquet', template: { ...TEMPLATE, manufacturer } });
    await upload(parquet, new Uint8Array(parquetWriteBuffer({ columnData })));
    const [issued, invalid] = await rowsIn(await finish(parquet.id));
    const { request } = await recordOf(issued!);
    expect(request.product_info).toMatchObject({ name: 'Helmet', sku: 'P-1' });
    expect(request.manufacturer).toEqual({ ...manufacturer, address: '1 Elm Street, Shenzhen, China' });
    expect(invalid).toMatchObject({
      ...{ row: 2, error: 'invalid_request', error_message: 'product_info: is required' },
      problems: [
        { column: 'product_info', message: 'is required' },
        { column: 'manufacturer.address', message: 'is required' },
      ],
    });

    const ndjson = await create({ format: 'ndjson', template: TEMPLATE });
    await upload(ndjson, JSON.stringify({ product_info, manufacturer: { name: 'Elm' } }));
    const record = await recordOf((await rowsIn(await finish(ndjson.id)))[0]!);
    expect(record.request.manufacturer).toEqual({ ...(TEMPLATE.manufacturer as object), name: 'Elm' });
  });

  it('attaches the files in an NDJSON row to the row’s certificate, and reports files that can’t be attached', async () => {
    const attached = (size: number) => ({
      product_info,
      attachments: [{ filename: 'report.pdf', content: Buffer.alloc(size, '%PDF-1.7 ').toString('base64') }],
    });
    const job = await create({ format: 'ndjson', template: TEMPLATE });
    // The first two rows fill a part.
    const rows = [attached(10_000_001), attached(10_000_001), attached(300_000), attached(90), { product_info }];
    await upload(job, rows.map(row => JSON.stringify(row)).join('\r\n'));
    const results = await rowsIn(await finish(job.id));
    expect(results.map(({ row, gcc_id }) => `${row} ${gcc_id ? 'issued' : 'rejected'}`)).toEqual([
      ...['1 rejected', '2 rejected', '3 issued', '4 issued', '5 issued'],
    ]);
    expect(results[0]).toMatchObject({
      problems: [{ column: 'attachments', message: expect.stringContaining('10 MB') }],
    });
    const records = await Promise.all(results.slice(2).map(recordOf));
    expect(records.map(({ attachments }) => attachments?.[0].size)).toEqual([300_000, 90, undefined]);
    const pdf = new Uint8Array(await service.store.certificates.pdf(results[3]!.gcc_id!));
    expect(attachmentsIn(pdf, records[1])).toMatchObject([{ filename: 'report.pdf', bytes: { length: 90 } }]);
    // Start a new rate limit window, because the test polls the job many times on a slow machine.
    service.time.now += 60_000;
  });

  it('issues Children’s Product Certificates from a CSV file without a `certificate_type` column', async () => {
    const { certificate_type: _, age_grading, ...template } = childrens.examples[0]!.request;
    const job = await create({ operation: 'entry.cpc.generate', template });
    await upload(job, 'key,product_info.name,age_grading.ages.from_months\nA,Toy train,24\nB,Bench,216\n');
    const [issued, refused] = await rowsIn(await finish(job.id));
    expect((await recordOf(issued!)).format).toBe('cpc-1');
    expect(refused).toMatchObject({ key: 'B', problems: [{ message: expect.stringContaining('children') }] });
  });

  it('issues each certificate only once, even if a worker dies partway through a part', async () => {
    const from = ++service.time.now;
    const job = await create({ template: TEMPLATE });
    await upload(job, fileOf(rowOf(1), rowOf(2), 'S-3', rowOf(4)));
    const { store } = service;
    const certificates = createCertificateService(
      store,
      service.certificates,
      createDelivery(store, service.certificates.drawing),
    );
    const dying = (await store.bulkJobs.claim('dies', 1))!;
    let issued = 0;
    const issue: typeof certificates.issue = async (...request) => {
      if (++issued === 3) throw new Error('The process died.');
      return await certificates.issue(...request);
    };
    const killed = runPart(
      dying,
      { ...deps(), certificates: { ...certificates, issue } },
      new AbortController().signal,
    );
    await expect(killed).rejects.toThrow('died');
    expect(await issuedSince(from)).toHaveLength(2);
    service.time.now += 2;
    const done = await finish(job.id);
    expect(done).toMatchObject({ state: 'done', processed_rows: 4, error_rows: 1 });
    const ids = (await rowsIn(done)).flatMap(({ gcc_id }) => gcc_id ?? []);
    expect(ids).toHaveLength(3);
    expect((await issuedSince(from)).map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it('provides a ZIP file that contains an index and the same PDFs that the individual certificate links return', async () => {
    const job = await create({ template: TEMPLATE });
    expect(job.certificates_url).toBe(null);
    const started = await upload(job, fileOf(rowOf(1), 'S-2', rowOf(3), rowOf(4).replace('S-4', '=S/4')));
    expect([...(await filesIn(await download(started.certificates_url!))).keys()]).toEqual(['index.csv']);
    const done = await finish(job.id);
    const rows = (await rowsIn(done)).filter(({ gcc_id }) => gcc_id);
    const voided = await service.post(`/api/v1/entry/gcc/${rows[1]!.gcc_id}/void`, { reason: 'Recalled' }, headers);
    expect(voided.status).toBe(200);
    const files = await filesIn(await download(done.certificates_url!));
    const names = ['S-1.pdf', 'S-3.pdf', expect.stringMatching(/^_S_4-[0-9a-f]{8}\.pdf$/)];
    expect([...files.keys()]).toEqual(['index.csv', ...names]);
    const pdfs = [...files.values()].slice(1);
    for (const [index, { gcc_id }] of rows.entries()) {
      const response = await service.get(`/api/v1/entry/gcc/${gcc_id}`, { headers });
      const { gcc_pdf_url } = (await response.json()) as { gcc_pdf_url: string };
      expect(pdfs[index]!.equals(await download(gcc_pdf_url))).toBe(true);
    }
    const [header, ...index] = files.get('index.csv')!.toString().trimEnd().split('\n');
    expect(header).toBe('file,row,line,key,gcc_id,status,sha256,verification_url');
    expect(index[0]).toMatch(new RegExp(`^S-1\\.pdf,1,2,S-1,${rows[0]!.gcc_id},draft,[0-9a-f]{64},http`));
    expect(index[2]).toContain(",'=S/4,");
  });

  it('names each PDF in the ZIP file after its certificate ID if the row has no key', async () => {
    const job = await create({ format: 'ndjson' });
    await upload(job, JSON.stringify(generate.examples[0]!.request));
    const done = await finish(job.id);
    const [{ gcc_id }] = (await rowsIn(done)) as [Row];
    expect([...(await filesIn(await download(done.certificates_url!))).keys()]).toEqual(['index.csv', `${gcc_id}.pdf`]);
  });

  it('rejects a ZIP file link that has expired or was signed for another purpose', async () => {
    const job = await create({ template: TEMPLATE });
    const { certificates_url, result_url } = await upload(job, fileOf('S-1'));
    const refused = async (url: string) =>
      ((await (await service.api.fetch(new Request(url))).json()) as { error: string }).error;
    expect(await refused(result_url.replace('/result?', '/certificates?'))).toBe('link_invalid');
    service.time.now += 3_600_001;
    expect(await refused(certificates_url!)).toBe('link_expired');
    const { upload_url, ...lookup } = await create({ operation: 'tariff.hts.lookup' });
    expect((await upload({ upload_url, ...lookup }, 'code\n7318')).certificates_url).toBe(null);
    await service.post('/api/v1/jobs/cancel', { id: job.id }, headers);
  });

  it.each([
    ['without a column that identifies the rows', 'product_info.name\nHelmet', /^The file needs one of these columns/],
    ['with filenames', 'key,attach\nA,report.pdf', /^Remove the column named attach\. .* NDJSON/],
    [
      'with encoded files',
      'key,attachments.0.content\nA,JVBERi0=',
      /^Remove the column named attachments\.0\.content\./,
    ],
    [
      'with a quotation mark that isn’t closed',
      'key\nA\n"B\n',
      /^The file can’t be read: Quote Not Closed.* at line 3\.$/,
    ],
    ['with a very long row', `key\n"${'x\n'.repeat(200_000)}"`, /^The file can’t be read: Max Record Size/],
    ['without rows', 'key\n', /^The file has no rows/],
    ['that isn’t UTF-8', new Uint8Array([0x6b, 0x65, 0x79, 0x0a, 0xff]), /UTF-8/],
  ])('rejects a CSV file %s', async (_, file, message) => {
    const job = await create({ template: TEMPLATE });
    expect(await upload(job, file)).toMatchObject({
      issues: [{ path: 'file', message: expect.stringMatching(message) }],
    });
    expect(await get(job.id)).toMatchObject({ state: 'awaiting_input' });
    expect(await upload(job, fileOf(rowOf(1)))).toMatchObject({ state: 'running' });
    await service.post('/api/v1/jobs/cancel', { id: job.id }, headers);
  });

  it('rejects a template with fields that would make every row invalid', async () => {
    const rejected = await create({ template: { manufcturer: {}, manufacturer: { contact_email: 'x' } } });
    expect(rejected.issues?.map(({ path }) => path)).toEqual([
      'template.manufacturer.contact_email',
      'template.manufcturer',
    ]);
    expect((await create({ operation: 'pixel.scan', template: {} })).issues).toMatchObject([{ path: 'template' }]);
  });
}

describe('a certificate job on SQLite with files on disk', () => registerTests(async () => ({})));
await describeWithPostgres('a certificate job on PostgreSQL with files on S3', startFresh =>
  registerTests(async () => ({ postgres: await startFresh(), s3: await startS3() })),
);
