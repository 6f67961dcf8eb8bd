import { Command } from 'commander';
import { CliError } from '../../cli-error.ts';
import { jsonOption } from '../../options.ts';
import { print } from '../../output/print.ts';
import { untilEnded } from './result.ts';
import { jobLine, serverOption } from './service.ts';

/** The `compliance jobs wait` command. */
export default new Command('wait')
  .description('Wait until a job ends. Fails if the job ends in a state other than done.')
  .argument('<id>', 'job ID')
  .addOption(serverOption())
  .addOption(jsonOption())
  .action(async (id: string, { server, json }: { server: string; json?: boolean }) => {
    const job = await untilEnded(server, id);
    print(json ? JSON.stringify(job) : jobLine(job));
    if (job.state !== 'done') throw new CliError(`Job ${job.id} is in state ${job.state}.`);
  });
