import type { Topic } from './topic.ts';

/**
 * Shoppers see another theme. A scan that is running may have read the old one, so another follows it. When a file of the
 * published theme is edited Shopify says nothing; the schedule finds that.
 */
export const themesPublish: Topic = {
  topic: 'themes/publish',
  jobs: () => [{ kind: 'scan', payload: { trigger: 'theme_published' }, whileRunning: 'again' }],
};
