import type { Topic } from './topic.ts';

/** A domain changed, maybe the one where shoppers are. A scan asks which that is, and reads what is there. */
export const domainsUpdate: Topic = {
  topic: 'domains/update',
  jobs: () => [{ kind: 'scan', payload: { trigger: 'schedule' }, whileRunning: 'again' }],
};
