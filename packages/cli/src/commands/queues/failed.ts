import { Command, Option } from 'commander';
import { jsonOption, limitOption, type StoreCommandOptions } from '../../options.ts';
import { print, sanitizeForTerminal } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';
import { QUEUES, type QueueName, queueIn, withQueues } from './queues.ts';

interface Options extends StoreCommandOptions {
  queue?: QueueName;
  limit: number;
}

/** The `compliance queues failed` command. */
export default new Command('failed')
  .description('List the jobs that failed on every attempt, newest first.')
  .addOption(new Option('--queue <queue>', 'list only the jobs in this queue').choices(QUEUES))
  .addOption(limitOption())
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async ({ queue: only, limit, data, json }: Options) => {
    const letters = await withQueues(data, async store => {
      const found = QUEUES.filter(queue => only === undefined || queue === only).map(async queue =>
        (await queueIn(store, queue).deadLetters({ limit })).map(
          ({ id, tenant, kind, key, error, attempts, finishedAt }) => ({
            ...{ queue, id, tenant, kind, key, error, attempts },
            failed_at: new Date(finishedAt ?? 0).toISOString(),
          }),
        ),
      );
      return (await Promise.all(found))
        .flat()
        .sort((a, b) => (a.failed_at < b.failed_at ? 1 : -1))
        .slice(0, limit);
    });
    if (json) return print(JSON.stringify(letters));
    if (letters.length === 0) return print('No failed jobs.');
    print(
      letters
        .map(({ queue, id, tenant, kind, key, error, attempts, failed_at }) => {
          const what = [kind, key, tenant].map(text => sanitizeForTerminal(text, 80)).join('  ');
          return `${id}  ${queue}  ${failed_at}  ${error}, attempts: ${attempts}\n  ${what}`;
        })
        .join('\n'),
    );
  });
