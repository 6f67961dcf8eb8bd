import { Command } from 'commander';
import { jsonOption } from '../../options.ts';
import { print } from '../../output/print.ts';
import { callService, jobLine, serverOption } from './service.ts';

/** The `compliance jobs redrive` command. */
export default new Command('redrive')
  .description('Rerun the failed parts of a job. The results of all other parts don’t change.')
  .argument('<id>', 'job ID')
  .addOption(serverOption())
  .addOption(jsonOption())
  .action(async (id: string, { server, json }: { server: string; json?: boolean }) => {
    const job = await callService(server, client => client.jobs.redrive(id));
    print(json ? JSON.stringify(job) : jobLine(job));
  });
