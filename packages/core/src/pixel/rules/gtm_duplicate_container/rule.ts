import { containers, excludeEachOther, groupBy, weakest } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_duplicate_container',
    title: 'The same container starts twice',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'The snippet of one container stands on the page more than once. It is `possible` where the copies exclude each other.',
    why: 'Its tags fire as often as it starts.',
    fix: 'Keep one snippet.',
    sources: ["Google's install dialog for Tag Manager"],
  },
  check(evidence, report) {
    for (const [id, all] of groupBy(containers(evidence), s => s.id)) {
      const [first, second] = all;
      if (!first || !second) continue;
      const confidence = excludeEachOther(first, second) ? 'possible' : weakest(first, second);
      report({ at: second, message: `Container ${id} is started in ${all.length} places.`, ids: [id], confidence });
    }
  },
});
