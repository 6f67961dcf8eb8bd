import { groupBy, isLive, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_multiple_containers',
    title: 'Several Tag Manager containers start',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'Two or more different containers start on the page.',
    why: "They share one data layer and slow the page. Often one is a former agency's, whose tags still fire.",
    fix: 'Merge the containers, and remove those nobody owns.',
    sources: ['https://developers.google.com/tag-platform/tag-manager/datalayer'],
  },
  check(evidence, report) {
    const byId = groupBy(
      ofKind(evidence, 'loader').filter(s => s.library === 'gtm' && isLive(s)),
      s => s.id,
    );
    const ids = [...byId.keys()];
    const second = byId.get(ids[1] ?? '')?.[0];
    if (second) report({ at: second, message: `${ids.length} containers start: ${ids.slice(0, 10).join(', ')}.`, ids });
  },
});
