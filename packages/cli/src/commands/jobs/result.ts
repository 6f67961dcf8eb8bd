import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { CliError, fileError } from '../../cli-error.ts';
import { showsProgress } from '../../output/notice.ts';
import { print } from '../../output/print.ts';
import { callService, jobLine, type ServiceJob } from './service.ts';

/** Interval between requests for a job's progress, in milliseconds. */
const POLL_MS = 1_000;

/** Waits until a job is no longer running, and shows the job's progress on standard error. */
export async function untilEnded(server: string, id: string): Promise<ServiceJob> {
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

/** Files to write. */
interface JobFiles {
  /** File for the result. */
  readonly out?: string | undefined;
  /** ZIP file for the job's certificate PDFs. */
  readonly zip?: string | undefined;
}

/**
 * Downloads a job's files and prints the job.
 *
 * @throws CliError if one of the files isn't available yet, if a download fails, or if the files are incomplete
 */
export async function saveFiles(
  job: ServiceJob,
  { out, zip, json }: JobFiles & { json?: boolean | undefined },
): Promise<void> {
  if (zip !== undefined) checkOperation(job.operation);
  const downloads = [
    ...(out === undefined ? [] : [{ file: out, url: job.result_url }]),
    ...(zip === undefined ? [] : [{ file: zip, url: job.certificates_url }]),
  ];
  for (const { file, url } of downloads) await download(job, url, file);
  const files = downloads.map(({ file }) => file);
  print(json ? JSON.stringify(job) : [jobLine(job), ...files.map(file => `Wrote ${file}.`)].join('\n'));
  if (job.state === 'done') return;
  throw new CliError(
    `Job ${job.id} is in the ${job.state} state. ${files.join(' and ')} ${files.length === 1 ? 'is' : 'are'} incomplete.`,
  );
}

/** Checks that an operation issues certificates. @throws CliError if it doesn't */
export function checkOperation(operation: string): void {
  if (!operation.startsWith('entry.'))
    throw new CliError('Only jobs that issue certificates have a ZIP file. Remove --zip.', 2);
}

/**
 * Downloads the result or certificates for a job's finished rows to a temporary file, and renames that file when the
 * download is complete.
 *
 * @throws CliError if the file isn't available yet, or if the download fails
 */
async function download(
  { state, input_error }: ServiceJob,
  url: string | null | undefined,
  file: string,
): Promise<void> {
  if (!url) {
    const reasons: Partial<Record<string, string>> = {
      awaiting_input: "The job hasn't started, because it's waiting for its input file.",
      cancelled: 'The job was canceled before it started.',
      failed: `The job failed. ${input_error?.message ?? "The service can't use the job's input file."}`,
    };
    throw new CliError(`${reasons[state] ?? "The job hasn't started."} No result is available.`);
  }
  const response = await fetch(url).catch(error => {
    throw downloadError(file, error);
  });
  if (!response.ok || !response.body) throw new CliError(`Can't download ${file}: status ${response.status}`);
  const incomplete = `${file}.${process.pid}.part`;
  try {
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(incomplete));
    await rename(incomplete, file);
  } catch (error) {
    await rm(incomplete, { force: true });
    const { syscall } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? downloadError(file, error) : fileError(`Can't write ${file}`, error);
  }
}

/** Returns the error for a failed connection. The message contains the cause, which fetch's own message omits. */
function downloadError(file: string, error: unknown): CliError {
  const { message, cause } = error as Error;
  return new CliError(`Can't download ${file}: ${cause instanceof Error ? cause.message : message}`);
}
