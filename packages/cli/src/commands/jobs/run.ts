import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { CliError, fileError } from '../../cli-error.ts';
import { jsonOption } from '../../options.ts';
import { showsProgress } from '../../output/notice.ts';
import { print } from '../../output/print.ts';
import { jobFormatOf } from './file-format.ts';
import { callService, jobLine, OPERATIONS, type ServiceJob, serverOption } from './service.ts';

/** Interval between requests for a job's progress, in milliseconds. */
const POLL_MS = 1_000;

interface Options {
  operation: keyof typeof OPERATIONS;
  out: string;
  asOf?: string;
  origin?: string;
  server: string;
  json?: boolean;
}

/** The `compliance jobs run` command. */
export default new Command('run')
  .description('Upload a file, run an operation on each row, and download the result.')
  .argument(
    '<file>',
    'CSV file with a header row (.csv), Parquet file (.parquet), or file with one JSON value per line; or the HTTPS or S3 URL of a ' +
      'file that the service fetches',
  )
  .addOption(
    new Option('--operation <name>', 'operation to run on each row').choices(Object.keys(OPERATIONS)).default('lookup'),
  )
  .requiredOption(
    '-o, --out <file>',
    'file for the result; .csv, .parquet, or .ndjson sets the format (default: the format of the input)',
  )
  .option('--as-of <date>', 'for lookups, the date of entry, YYYY-MM-DD (default: today in US Eastern time)')
  .option('--origin <country>', 'for lookups, the country of origin for rows without an origin')
  .addOption(serverOption())
  .addOption(jsonOption())
  .action(async (file: string, { operation, out, asOf, origin, server, json }: Options) => {
    const isUrl = /^(https|s3):\/\//i.test(file);
    const resultFormat = jobFormatOf(out);
    const request = {
      format: jobFormatOf(file) ?? ('ndjson' as const),
      ...(resultFormat && { result_format: resultFormat }),
      ...(isUrl && { input_url: file }),
      ...(asOf !== undefined && { as_of: asOf }),
      ...(origin !== undefined && { origin }),
    };
    const created = await callService(server, client => client.jobs.create(OPERATIONS[operation], request));
    if (!isUrl) await upload(file, created);
    const job = await untilEnded(server, created.id);
    if (job.input_error && !job.result_url)
      throw new CliError(`The service can't use ${file}: ${job.input_error.message}`);
    await download(job, out);
    print(json ? JSON.stringify(job) : `${jobLine(job)}\nWrote ${out}.`);
    if (job.state !== 'done') throw new CliError(`Job ${job.id} is in state ${job.state}. ${out} is incomplete.`);
  });

async function upload(file: string, { upload_url }: ServiceJob): Promise<void> {
  const body = Readable.toWeb(createReadStream(file)) as ReadableStream;
  const response = await fetch(upload_url!, { method: 'PUT', body, duplex: 'half' } as RequestInit).catch(error => {
    throw new CliError(`Can't upload ${file}: ${error.cause?.message ?? error.message}`);
  });
  if (response.ok) return;
  const { message, issues } = (await response.json()) as { message: string; issues?: { message: string }[] };
  throw new CliError(`The service rejected ${file}: ${issues?.[0]?.message ?? message}`);
}

/** Waits until a job has ended, and shows its progress on standard error. */
async function untilEnded(server: string, id: string): Promise<ServiceJob> {
  for (;;) {
    const job = await callService(server, client => client.jobs.get({ id }));
    if (showsProgress()) process.stderr.write(`\r${jobLine(job)}`);
    if (job.state !== 'running') {
      if (showsProgress()) process.stderr.write('\n');
      return job;
    }
    await pause(POLL_MS);
  }
}

/** Downloads the result to a temporary file, and renames the file when it's complete. */
async function download({ result_url }: ServiceJob, out: string): Promise<void> {
  const response = await fetch(result_url!);
  if (!response.ok || !response.body) throw new CliError(`Can't download the result: status ${response.status}`);
  const incomplete = `${out}.${process.pid}.part`;
  try {
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(incomplete));
    await rename(incomplete, out);
  } catch (error) {
    await rm(incomplete, { force: true });
    throw fileError(`Can't write ${out}`, error);
  }
}
