import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Compliance } from '@compliance/client';
import type { JourneyStep } from '@compliance/core/pixel';
import { Command, Option } from 'commander';
import { CliError } from '../../cli-error.ts';
import { readJson } from '../../input/certificate-files.ts';
import { parsePrograms } from '../../input/lookup-options.ts';
import { journeyOption, jsonOption } from '../../options.ts';
import { notify } from '../../output/notice.ts';
import { jobFormatOf } from './file-format.ts';
import { checkOperation, saveFiles, untilEnded } from './result.ts';
import { callService, OPERATIONS, type ServiceJob, serverOption } from './service.ts';

type CreateRequest = NonNullable<Parameters<Compliance['jobs']['create']>[1]>;
type Selection = NonNullable<CreateRequest['programs']>;

interface Options {
  operation: keyof typeof OPERATIONS;
  out: string;
  asOf?: string;
  origin?: string;
  programs?: string;
  journey?: JourneyStep[];
  template?: string;
  zip?: string;
  server: string;
  json?: boolean;
}

/** The `compliance jobs run` command. */
export default new Command('run')
  .description('Run a service operation on each row of a file, and download the result.')
  .argument(
    '<file>',
    'CSV file with a header row (.csv), Parquet file (.parquet), or NDJSON file; or the HTTPS or S3 URL of a file for the service ' +
      'to fetch',
  )
  .addOption(
    new Option('--operation <name>', 'operation to run on each row').choices(Object.keys(OPERATIONS)).default('lookup'),
  )
  .requiredOption(
    '-o, --out <file>',
    'output file for the result; the extension .csv, .parquet, or .ndjson sets the format (default: the input format, or NDJSON for certificates)',
  )
  .option('--as-of <date>', 'for lookups, the date of entry, YYYY-MM-DD (default: today in US Eastern time)')
  .option('--origin <country>', 'for lookups, the country of origin for rows that don’t specify one')
  .option(
    '--programs <programs>',
    'for lookups, the programs to check: a comma-separated list, "all", or "metals" (default: all)',
  )
  .addOption(journeyOption('with --operation render, the steps to take in the storefront after each consent choice'))
  .option('--template <file>', 'for certificates, a JSON file with the request fields that all rows share')
  .option('--zip <file>', 'for certificates, also write a ZIP file with the PDFs')
  .addOption(serverOption())
  .addOption(jsonOption())
  .action(async (file: string, options: Options) => {
    const { operation, out, asOf, origin, programs, journey, template, zip, server, json } = options;
    if (zip !== undefined) checkOperation(OPERATIONS[operation]);
    const isUrl = /^(https|s3):\/\//i.test(file);
    const resultFormat = jobFormatOf(out);
    // The service checks whether the programs exist.
    const selected = programs === undefined ? undefined : (parsePrograms(programs) as Selection);
    const request = {
      format: jobFormatOf(file) ?? ('ndjson' as const),
      ...(resultFormat && { result_format: resultFormat }),
      ...(isUrl && { input_url: file }),
      ...(asOf !== undefined && { as_of: asOf }),
      ...(origin !== undefined && { origin }),
      ...(selected !== undefined && { programs: selected }),
      ...(journey !== undefined && { journey }),
      ...(template !== undefined && { template: (await readJson(template)) as Record<string, unknown> }),
    };
    const created = await callService(server, client => client.jobs.create(OPERATIONS[operation], request));
    if (!isUrl) await upload(file, created);
    notify(
      `If this command is interrupted, get the result with: compliance jobs wait ${created.id} && compliance jobs download ${created.id} -o ${out}`,
    );
    const job = await untilEnded(server, created.id);
    if (job.input_error && !job.result_url)
      throw new CliError(`The service can't use ${file}: ${job.input_error.message}`);
    await saveFiles(job, { out, zip, json });
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
