import { randomUUID } from 'node:crypto';
import { MAX_CERTIFICATE_REQUEST_BYTES } from '@compliance/contract/certificate';
import type { BlobFiles, BulkJob, BulkPart, Store } from '@compliance/store';
import { ApiError } from '../errors/api-error.ts';
import { byteSize } from '../http/byte-size.ts';
import {
  BULK_OPERATIONS,
  type BulkOperationId,
  MAX_INPUT_BYTES,
  MAX_PART_BYTES,
  MAX_ROW_BYTES,
} from './bulk-operations.ts';
import { certificateLines } from './certificate-rows.ts';
import { fileTooLarge, invalidFile, tooManyRows } from './input-errors.ts';
import { inputName } from './job-files.ts';
import type { ReadParquet } from './parquet/parquet-lines.ts';
import { storeUpload } from './stored-upload.ts';

/** Dependencies for receiving input. */
export interface InputDeps {
  readonly store: Store;
  /** Reads Parquet files. Without this function, jobs can't have Parquet input. */
  readonly readParquet: ReadParquet | null;
}

/**
 * Stores a job's input in parts as it arrives, and then starts the job. Each line is a row, so a CSV cell can't contain
 * a line break except in a certificate job. A Parquet file is first stored unchanged, because its metadata is at the
 * end. If the upload fails, the job keeps waiting for its input.
 *
 * @throws ApiError `invalid_request`, `body_too_large`, `job_started`, `job_quota`, or `unavailable`
 */
export async function receiveInput(
  { store, readParquet }: InputDeps,
  job: BulkJob,
  body: AsyncIterable<Uint8Array>,
): Promise<BulkJob> {
  const { id, format } = job;
  const { files } = store.blobs;
  const { rowsPerPart, maxRows, inputColumns, issuesCertificates } = BULK_OPERATIONS[job.operation as BulkOperationId];
  const upload = randomUUID();
  await store.bulkJobs.beginUpload(id, upload);
  const parts: BulkPart[] = [];
  let header = format === 'csv' ? null : '';
  let waiting: string[] = [];
  let waitingSize = 0;
  let rows = 0;
  const flush = async () => {
    if (waiting.length === 0) return;
    const text = waiting.join('\n');
    await files.write(inputName(id, upload, parts.length), new TextEncoder().encode(text));
    parts.push({ first: rows - waiting.length + 1, rows: waiting.length });
    waiting = [];
    waitingSize = 0;
  };
  async function* parquetLines() {
    if (!readParquet) throw new ApiError('unavailable');
    const file = await storeUpload(files, { id, upload }, body);
    try {
      yield* readParquet(file, { columns: inputColumns, maxRows, tenant: job.family });
    } finally {
      await file.remove();
    }
  }
  const csvLines = () => (issuesCertificates ? certificateLines(textOf(body)) : linesOf(textOf(body), MAX_ROW_BYTES));
  const ndjsonLines = () => linesOf(textOf(body), issuesCertificates ? MAX_CERTIFICATE_REQUEST_BYTES : MAX_ROW_BYTES);
  const lines = { csv: csvLines, ndjson: ndjsonLines, parquet: parquetLines }[format]();
  try {
    for await (const line of lines) {
      if (line.trim() === '') continue;
      if (header === null) {
        header = line;
        continue;
      }
      if (++rows > maxRows) throw tooManyRows(maxRows);
      waiting.push(line);
      waitingSize += Buffer.byteLength(line);
      if (waiting.length === rowsPerPart || waitingSize >= MAX_PART_BYTES) await flush();
    }
    await flush();
    if (rows === 0) throw invalidFile('The file has no rows.');
    return await store.bulkJobs.start(id, { upload, header: header ?? '', parts, quota: maxRows });
  } catch (error) {
    await removeUpload(files, id, upload, parts.length);
    throw error;
  }
}

async function removeUpload(files: BlobFiles, id: string, upload: string, parts: number): Promise<void> {
  for (let part = 0; part <= parts; part++) await files.remove(inputName(id, upload, part)).catch(() => {});
}

/** Decodes a UTF-8 file. @throws ApiError `invalid_request`, `body_too_large` */
async function* textOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let size = 0;
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw invalidFile("The file isn't valid UTF-8.");
    }
  };
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_INPUT_BYTES) throw fileTooLarge();
    yield decode(chunk);
  }
  yield decode();
}

/** Splits text into lines in linear time. @throws ApiError `invalid_request` */
async function* linesOf(text: AsyncIterable<string>, maxSize: number): AsyncGenerator<string, void> {
  let pieces: string[] = [];
  let size = 0;
  const add = (piece: string) => {
    size += Buffer.byteLength(piece);
    if (size > maxSize) throw invalidFile(`A row is longer than ${byteSize(maxSize)}.`);
    pieces.push(piece);
  };
  const take = () => {
    const line = pieces.join('').replace(/\r$/, '');
    pieces = [];
    size = 0;
    return line;
  };
  for await (const chunk of text) {
    const [end = '', ...lines] = chunk.split('\n');
    add(end);
    for (const line of lines) {
      yield take();
      add(line);
    }
  }
  if (size > 0) yield take();
}
