import { containers, groupBy, together, weakest } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_duplicate_container',
    title: 'The same container starts twice',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'The snippet of one container stands on the page more than once.',
    why: 'Its tags fire as often as it starts.',
    fix: 'Keep one snippet.',
    sources: ["Google's install dialog for Tag Manager"],
  },
  check(evidence, report) {
    for (const [id, all] of groupBy(containers(evidence), s => s.id)) {
      const twice = together(all);
      const [, second] = twice;
      if (second)
        report({
          at: second,
          message: `Container ${id} starts ${twice.length} times.`,
          ids: [id],
          confidence: weakest(...twice.slice(0, 2)),
        });
    }
  },
});
