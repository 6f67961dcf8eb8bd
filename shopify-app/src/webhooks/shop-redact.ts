import type { Topic } from './topic.ts';

/** What is kept of the shop is to be erased; it comes about two days after the app was removed. */
export const shopRedact: Topic = {
  topic: 'shop/redact',
  jobs: () => [{ kind: 'redact', afterUninstall: true, maxAttempts: 20 }],
};
