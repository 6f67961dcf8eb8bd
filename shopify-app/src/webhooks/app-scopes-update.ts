import { z } from 'zod';
import type { Topic } from './topic.ts';

const scopes = z.object({ current: z.array(z.string()) });

/** The merchant granted or took back scopes. */
export const appScopesUpdate: Topic = {
  topic: 'app/scopes_update',
  async run(shop, { payload }) {
    await shop.setScopes(scopes.parse(payload).current);
    return undefined;
  },
};
