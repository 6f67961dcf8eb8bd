import type { Topic } from './topic.ts';

/** The app was removed: the tokens are dead and every job stops now. What is kept goes with `shop/redact`. */
export const appUninstalled: Topic = {
  topic: 'app/uninstalled',
  async run(shop, { triggeredAt }) {
    await shop.uninstall(triggeredAt === null ? {} : { at: triggeredAt });
    return undefined;
  },
};
