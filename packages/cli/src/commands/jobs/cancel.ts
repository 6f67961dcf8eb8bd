import { Command } from 'commander';
import { jsonOption } from '../../options.ts';
import { print } from '../../output/print.ts';
import { callService, jobLine, serverOption } from './service.ts';

/** The `compliance jobs cancel` command. */
export default new Command('cancel')
  .description('Stop a job. Results of finished rows remain available.')
  .argument('<id>', 'job ID')
  .addOption(serverOption())
  .addOption(jsonOption())
  .action(async (id: string, { server, json }: { server: string; json?: boolean }) => {
    const job = await callService(server, client => client.jobs.cancel(id));
    print(json ? JSON.stringify(job) : jobLine(job));
  });
