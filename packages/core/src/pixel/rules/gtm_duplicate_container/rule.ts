import { areMutuallyExclusive, containers, groupBy, lowestConfidence } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_duplicate_container',
    title: 'Same Tag Manager container loaded more than once',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'The page contains the same container code more than once. The confidence is `possible` if the copies are in different branches of the same condition.',
    why: "The container's tags fire once for every copy that loads.",
    fix: 'Keep one copy of the container code.',
    messages: {
      repeated: 'Container {id} is loaded in {count} locations.',
    },
    sources: ['Installation instructions in Google Tag Manager'],
  },
  check(page, report) {
    for (const [id, all] of groupBy(containers(page), s => s.id)) {
      const [first, second] = all;
      if (!first || !second) continue;
      const confidence = areMutuallyExclusive(first, second) ? 'possible' : lowestConfidence(first, second);
      report({ at: second, message: 'repeated', values: { id, count: all.length }, ids: [id], confidence });
    }
  },
});
