import { Command, Option } from 'commander';
import { jsonOption, limitOption } from '../../options.ts';
import { print } from '../../output/print.ts';
import { callService, jobLine, OPERATIONS, type ServiceJob, serverOption } from './service.ts';

/** Maximum number of jobs per request. */
const PAGE = 100;

interface Options {
  operation?: keyof typeof OPERATIONS;
  limit: number;
  server: string;
  json?: boolean;
}

/** The `compliance jobs list` command. */
export default new Command('list')
  .description('List the jobs from the last seven days, newest first.')
  .addOption(new Option('--operation <name>', 'list only jobs with this operation').choices(Object.keys(OPERATIONS)))
  .addOption(limitOption())
  .addOption(serverOption())
  .addOption(jsonOption())
  .action(async ({ operation, limit, server, json }: Options) => {
    const jobs: ServiceJob[] = [];
    for (let cursor: string | null | undefined; jobs.length < limit && cursor !== null; ) {
      const page = await callService(server, client =>
        client.jobs.list({
          ...(operation && { operation: OPERATIONS[operation] }),
          limit: Math.min(PAGE, limit - jobs.length),
          ...(cursor && { cursor }),
        }),
      );
      jobs.push(...page.jobs);
      cursor = page.next_cursor;
    }
    if (json) print(JSON.stringify(jobs));
    else print(jobs.length === 0 ? 'No jobs.' : jobs.map(jobLine).join('\n'));
  });
