import { DATASET } from '@compliance/core/tariff';
import { createPool } from '@compliance/crawler/pool';
import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet';
import { ByteWriter, type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../errors/api-error.ts';
import generate from '../../operations/entry-gcc-generate.ts';
import { startService } from '../../testing/service.ts';
import { runPart } from '../run-part.ts';
import { createParquetReader } from './parquet-lines.ts';

const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 256, queue: 10 });
const readParquet = createParquetReader(pool);
afterAll(() => pool.close());

const write = (columnData: ColumnSource[], options: object = {}) =>
  new Uint8Array(parquetWriteBuffer({ columnData, ...options }));

const CODES: ColumnSource[] = [
  { name: 'Code', data: ['7318.15.2061', '0101.21.00', 'abc'], type: 'STRING' },
  { name: 'reference', data: ['A', null, '"C"\n'], type: 'STRING' },
  { name: 'other', data: [{ a: 1 }, { a: 2 }, { a: 3 }], type: 'JSON' },
];

/** Returns a file's lines, or the error message that the file's owner sees. */
async function read(
  bytes: Uint8Array,
  columns: string[] | null = ['code', 'reference'],
  maxRows = 1_000_000,
  reader = readParquet,
) {
  const file = {
    size: bytes.length,
    read: async (start: number, end: number) => bytes.slice(start, end),
    remove: async () => {},
  };
  try {
    const lines: string[] = [];
    for await (const line of reader(file, { columns, maxRows, tenant: 'fam_a' })) lines.push(line);
    return lines;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.detail.issues?.[0]?.message ?? error.message;
  }
}

/** Returns a file with changed metadata. */
function withMetadata(bytes: Uint8Array, change: (metadata: FileMetaData) => void): Uint8Array {
  const metadata = parquetMetadata(bytes);
  const { metadata_length, ...rest } = metadata;
  change(rest as FileMetaData);
  const writer = new ByteWriter();
  writer.appendBytes(bytes.subarray(0, bytes.length - metadata_length - 8));
  writeMetadata(writer, rest as FileMetaData);
  writer.appendUint32(0x31524150);
  return writer.getBytes().slice();
}

describe('a Parquet file', () => {
  it('is read with and without compression, with large and small row groups, and with numbers as codes', async () => {
    const lines = ['{"code":"7318.15.2061","reference":"A"}', '{"code":"0101.21.00","reference":null}'];
    expect(await read(write(CODES))).toEqual([...lines, String.raw`{"code":"abc","reference":"\"C\"\n"}`]);
    expect((await read(write(CODES, { rowGroupSize: 1 }))).slice(0, 2)).toEqual(lines);
    expect((await read(write(CODES, { codec: 'UNCOMPRESSED' }))).slice(0, 2)).toEqual(lines);
    expect(await read(write([{ name: 'code', data: [7318152061n, 7n], type: 'INT64' }]))).toEqual([
      '{"code":7318152061}',
      '{"code":7}',
    ]);
  });

  it('is read completely and in order if its rows are decoded in several calls', async () => {
    const data = Array.from({ length: 120_000 }, (_, i) => `${1_000_000_000 + i}`);
    const lines = (await read(write([{ name: 'code', data, type: 'STRING' }], { rowGroupSize: 50_000 }))) as string[];
    expect(lines).toHaveLength(data.length);
    expect(lines.map(line => JSON.parse(line).code)).toEqual(data);
    const long = Array.from({ length: 100 }, (_, i) => `${i}`.padEnd(200_000));
    const rows = (await read(write([{ name: 'code', data: long, type: 'STRING' }]))) as string[];
    expect(rows.map(line => JSON.parse(line).code)).toEqual(long);
  });

  it('is read in smaller steps if its rows don’t fit in a worker’s memory', async () => {
    const small = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 48, queue: 10 });
    const data = Array.from({ length: 40_000 }, (_, i) => `${i}`.padEnd(900, 'x'));
    const lines = await read(
      write([{ name: 'code', data, type: 'STRING' }]),
      ['code'],
      50_000,
      createParquetReader(small),
    );
    await small.close();
    expect(lines).toHaveLength(data.length);
    expect(JSON.parse(lines.at(-1)!).code).toBe(data.at(-1));
  });

  it('is rejected with a clear message if it’s truncated, empty, encrypted, or in another format', async () => {
    const file = write(CODES);
    expect(await read(new Uint8Array())).toBe("This file isn't a Parquet file.");
    expect(await read(new TextEncoder().encode('code\n7318.15.2061\n'))).toBe("This file isn't a Parquet file.");
    expect(await read(file.subarray(0, file.length - 20))).toMatch(/^This file is truncated/);
    expect(await read(Buffer.concat([file.subarray(0, 40), file.subarray(60)]))).toMatch(
      /^This file is truncated or damaged/,
    );
    expect(await read(Buffer.concat([Buffer.from('PARE'), file.subarray(4)]))).toMatch(/^Encrypted/);
    const longFooter = file.slice();
    new DataView(longFooter.buffer).setUint32(file.length - 8, 0xffffffff, true);
    expect(await read(longFooter)).toMatch(/^This file is truncated or damaged/);
  });

  it('is rejected if a column is missing, repeated, nested, or of the wrong type', async () => {
    const column = (name: string, data: ColumnSource['data'], type: NonNullable<ColumnSource['type']>) =>
      write([{ name, data, type }]);
    expect(await read(column('hts', ['1'], 'STRING'))).toBe('The file has no column named code.');
    expect(await read(write([...CODES, { name: ' CODE', data: ['', '', ''], type: 'STRING' }]))).toMatch(/two columns/);
    const wrong = 'The column named code must contain text or numbers.';
    expect(await read(column('code', [true], 'BOOLEAN'))).toBe(wrong);
    expect(await read(column('code', [new Date()], 'TIMESTAMP'))).toBe(wrong);
    expect(await read(column('code', [{ a: 1 }], 'JSON'))).toBe(wrong);
    const schema = [
      { name: 'root', num_children: 1 },
      { name: 'code', converted_type: 'LIST', num_children: 1, repetition_type: 'OPTIONAL' },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
    ];
    expect(await read(write([{ name: 'code', data: [['7318']] }], { schema }))).toBe(wrong);
  });

  it('is rejected if its metadata is invalid, exceeds a limit, or requires an unsupported feature', async () => {
    const file = write(CODES);
    const damaged = /^This file is truncated or damaged/;
    const changed = (change: (metadata: FileMetaData) => void) => read(withMetadata(file, change));
    expect(await changed(() => {})).toHaveLength(3);
    expect(await changed(({ row_groups }) => (row_groups[0]!.num_rows = 2n ** 60n))).toMatch(/^Send at most/);
    expect(await changed(({ row_groups }) => (row_groups[0]!.num_rows = -3n))).toMatch(damaged);
    expect(await changed(({ row_groups }) => (row_groups[0]!.num_rows = 500_000n))).toMatch(damaged);
    expect(
      await changed(
        metadata => (metadata.row_groups = Array(150_000).fill({ columns: [], total_byte_size: 0n, num_rows: 0n })),
      ),
    ).toBe('The file has more than 100000 row groups.');
    for (const change of [
      { total_compressed_size: 2n ** 40n },
      { total_compressed_size: -1n },
      { data_page_offset: 2n ** 62n, dictionary_page_offset: undefined },
      { total_compressed_size: 10n },
      { num_values: 2n ** 31n },
    ])
      expect(await changed(({ row_groups }) => Object.assign(row_groups[0]!.columns[0]!.meta_data!, change))).toMatch(
        damaged,
      );
    expect(await changed(({ row_groups }) => (row_groups[0]!.columns[0]!.meta_data!.codec = 'LZ4'))).toBe(
      "LZ4 compression isn't supported. Use Zstandard, Snappy, gzip, or Brotli.",
    );
    expect(await changed(({ row_groups }) => (row_groups[0]!.columns[0]!.file_path = '/etc/passwd'))).toMatch(
      /^The file refers to other files/,
    );
    expect(await read(write(CODES), ['code'], 2)).toBe('Send at most 2 rows.');
  });

  it('is rejected if a row is too long', async () => {
    const data = ['7318', 'x'.repeat(300_000)];
    expect(await read(write([{ name: 'code', data, type: 'STRING' }]))).toBe('Row 2 is too long.');
  });

  it('is read or rejected, and never stops the pool, no matter which bytes are corrupted', async () => {
    const data = Array.from({ length: 400 }, (_, i) => 7318152061n + BigInt(i * i));
    const files = [
      write([{ name: 'code', data, type: 'INT64', encoding: 'DELTA_BINARY_PACKED', nullable: false }]),
      write([{ name: 'code', data: data.map(String), type: 'STRING' }], { rowGroupSize: 100 }),
    ];
    let seed = 7;
    const random = (limit: number) => (seed = (seed * 48_271) % 2_147_483_647) % limit;
    const outcomes = { read: 0, rejected: 0 };
    // To test more files, run `FUZZ_RUNS=1000 vitest run parquet`.
    const rounds = Number(process.env.FUZZ_RUNS ?? 40);
    for (let round = 0; round < rounds; round++) {
      const file = files[round % 2]!.slice();
      for (let flips = 0; flips < 3; flips++) file[random(file.length)] = random(256);
      const outcome = await read(file);
      if (typeof outcome === 'string') outcomes.rejected++;
      else outcomes.read++;
    }
    expect(outcomes.rejected).toBeGreaterThan(rounds / 5);
    expect(await read(files[0]!)).toHaveLength(400);
  });
});

const lookup = { operation: 'tariff.hts.lookup', as_of: '2026-10-01' };

const products = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    reference: `P-${i}`,
    code: ['7318.15.2061', '0101.21.00', 'abc', ''][i % 4]!,
    origin: i % 3 === 0 ? 'CN' : null,
  }));

const fileOf = (rows: ReturnType<typeof products>) =>
  write(
    (['reference', 'code', 'origin'] as const).map(name => ({
      name,
      data: rows.map(row => row[name]),
      type: 'STRING',
    })),
  );

describe('a job with a Parquet file', () => {
  let service: Awaited<ReturnType<typeof startService>>;
  let headers: Record<string, string>;
  beforeAll(async () => {
    service = await startService();
    headers = { Authorization: `Bearer ${await service.issue()}` };
  });
  afterAll(() => service.stop());

  /** Runs a job and returns its result. */
  async function run(request: object, body: Uint8Array<ArrayBuffer> | string): Promise<Uint8Array> {
    const created = (await (await service.post('/api/v1/jobs', request, headers)).json()) as { upload_url: string };
    const upload = await service.api.fetch(new Request(created.upload_url, { method: 'PUT', body }));
    const { id, ...job } = (await upload.json()) as { id: string; message?: string };
    if (!upload.ok) throw new Error(JSON.stringify(job));
    for (;;) {
      const part = await service.store.bulkJobs.claim('w', 60_000);
      if (!part) break;
      const { store, time } = service;
      const deps = { store, clock: () => time.now, dataset: () => DATASET, nomenclature: null, scanner: null };
      await part.complete(await runPart(part, { ...deps, certificates: null }, new AbortController().signal));
    }
    const done = (await (await service.get(`/api/v1/jobs/${id}`, { headers })).json()) as { result_url: string };
    return new Uint8Array(await (await service.api.fetch(new Request(done.result_url))).arrayBuffer());
  }

  it('returns the same result as a job with the same 100,000 codes in CSV', async () => {
    const rows = products(100_000);
    const csv = ['reference,code,origin', ...rows.map(row => Object.values(row).join(','))].join('\n');
    const parquet = fileOf(rows);
    const fromCsv = await run({ ...lookup, format: 'csv' }, csv);
    const fromParquet = await run({ ...lookup, format: 'parquet', result_format: 'csv' }, parquet);
    expect(Buffer.compare(fromCsv, fromParquet)).toBe(0);
  });

  it('returns a Parquet result with typed columns by default', async () => {
    const result = await run({ ...lookup, format: 'parquet' }, fileOf(products(12_000)));
    const rows = await parquetReadObjects({ file: result.buffer as ArrayBuffer });
    expect(rows).toHaveLength(12_000);
    expect(rows[0]).toEqual({
      ...{ row: 1, reference: 'P-0', code: '7318.15.2061', status: 'hit', hit: true, in_scope: true },
      ...{ normalized: '7318.15.20.61', programs: 'steel', message: expect.stringContaining('9903.82.02') },
      ...{ error: null, error_message: null },
    });
    expect(rows.at(-1)).toMatchObject({ row: 12_000, reference: 'P-11999', status: 'invalid', hit: false });
  });

  it('preserves nested certificate fields in each row', async () => {
    const { manufacturer, ...row } = generate.examples[0]!.request as Record<string, unknown>;
    expect(manufacturer).toBeDefined();
    const columnData = Object.entries({ ...row, unknown: 'x' }).map(([name, value]) => ({
      name,
      data: [value],
      ...(typeof value === 'string' ? { type: 'STRING' as const } : { type: 'JSON' as const }),
    })) as ColumnSource[];
    const lines = (await read(write(columnData), null)) as string[];
    expect(JSON.parse(lines[0]!)).toEqual({ ...row, unknown: 'x' });
  });
});
