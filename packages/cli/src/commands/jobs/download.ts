import { Command } from 'commander';
import { CliError } from '../../cli-error.ts';
import { jsonOption } from '../../options.ts';
import { saveFiles } from './result.ts';
import { callService, serverOption } from './service.ts';

interface Options {
  out?: string;
  zip?: string;
  server: string;
  json?: boolean;
}

/** The `compliance jobs download` command. */
export default new Command('download')
  .description(
    "Download a job's result, its certificates, or both. If the files are incomplete, the command still writes them, but exits with code 1.",
  )
  .argument('<id>', 'job ID')
  .option('-o, --out <file>', 'output file for the result')
  .option('--zip <file>', 'ZIP file for the certificate PDFs')
  .addOption(serverOption())
  .addOption(jsonOption())
  .action(async (id: string, { out, zip, server, json }: Options) => {
    if (out === undefined && zip === undefined) throw new CliError('Specify --out, --zip, or both.', 2);
    const job = await callService(server, client => client.jobs.get({ id }));
    await saveFiles(job, { out, zip, json });
  });
