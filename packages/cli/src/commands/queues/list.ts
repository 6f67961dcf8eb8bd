import { Command } from 'commander';
import { jsonOption, type StoreCommandOptions } from '../../options.ts';
import { print } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';
import { QUEUES, queueIn, withQueues } from './queues.ts';

/** The `compliance queues list` command. */
export default new Command('list')
  .description(
    'Show the number of live and failed jobs in each queue, and how long each queue’s next job has been overdue.',
  )
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async ({ data, json }: StoreCommandOptions) => {
    const now = Date.now();
    const queues = await withQueues(data, store =>
      Promise.all(
        QUEUES.map(async queue => {
          const { live, failed, dueSince } = await queueIn(store, queue).measure();
          return { queue, live, failed, due_seconds: dueSince === null ? null : Math.max(0, now - dueSince) / 1000 };
        }),
      ),
    );
    if (json) return print(JSON.stringify(queues));
    print(
      queues
        .map(({ queue, live, failed, due_seconds }) => {
          const due =
            due_seconds === null ? 'no job is due' : `the next job has been overdue for ${Math.round(due_seconds)} s`;
          return `${queue}  ${live} live, ${failed} failed, ${due}`;
        })
        .join('\n'),
    );
  });
