import type { DeadLetter, ShopStore } from '@compliance/store/shop';
import { Command } from 'commander';
import { ACTOR } from '../../actor.ts';
import { CliError } from '../../cli-error.ts';
import { jsonOption, type StoreCommandOptions } from '../../options.ts';
import { print } from '../../output/print.ts';
import { settingOption } from '../../settings/settings.ts';
import { QUEUES, type QueueName, queueIn, withQueues } from './queues.ts';

/** Maximum number of failed jobs per queue to search for the ID. */
const SEARCHED = 10_000;

/** The `compliance queues redrive` command. */
export default new Command('redrive')
  .description(
    'Run a failed job again. In the jobs queue, this reruns all failed parts of the bulk job, or fetches its input again. ' +
      'In the webhooks queue, this redelivers the event and any later failed events for the same watch.',
  )
  .argument('<id>', 'ID of the failed job, as shown by queues failed')
  .addOption(settingOption('COMPLIANCE_DATA'))
  .addOption(jsonOption())
  .action(async (id: string, { data, json }: StoreCommandOptions) => {
    const queue = await withQueues(data, async store => {
      for (const name of QUEUES) {
        const letters = await queueIn(store, name).deadLetters({ limit: SEARCHED });
        const letter = letters.find(each => each.id === id);
        if (!letter) continue;
        if (!(await REDRIVE[name](store, letter))) throw new CliError(`Job ${id} can't run again: ${REASON[name]}.`);
        await store.audit.append({
          actor: ACTOR,
          action: 'job.redrive',
          subject: id,
          before: { state: 'failed' },
          after: null,
        });
        return name;
      }
      throw new CliError(`No failed job has the ID ${id}. To list the failed jobs, run: compliance queues failed`);
    });
    print(json ? JSON.stringify({ id, queue }) : `Job ${id} in queue ${queue} will run again.`);
  });

/** Reasons that a failed job can't run again, by queue. */
const REASON: Record<QueueName, string> = {
  jobs: 'its bulk job was canceled',
  webhooks: 'its watch has no webhook URL',
  app: 'another job for the same work is queued or running',
};

type Redrive = (store: ShopStore, letter: DeadLetter) => Promise<boolean>;

const REDRIVE: Record<QueueName, Redrive> = {
  async jobs({ bulkJobs }, { tenant, key }) {
    const { state } = await bulkJobs.redrive(tenant, key.split('/')[0]!);
    return state === 'running';
  },
  async webhooks({ watches }, { tenant, key }) {
    const [watch, seq] = key.split('/') as [string, string];
    return (await watches.redeliver(tenant, watch, { after: Number(seq) - 1, onlyFailed: true })) > 0;
  },
  app: (store, { tenant, id }) => store.shop(tenant).jobs.redrive(id),
};
