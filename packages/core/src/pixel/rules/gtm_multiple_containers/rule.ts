import { groupBy, isLive, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_multiple_containers',
    title: 'Multiple Tag Manager containers on one page',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'Two or more different containers load on the page.',
    why: 'The containers share one data layer and slow down the page. Often, one of the containers belongs to a former agency but still fires its tags.',
    fix: 'Merge the containers, and remove any that no one maintains.',
    messages: {
      multiple: 'The page loads {count} Tag Manager containers: {ids}.',
    },
    sources: ['https://developers.google.com/tag-platform/tag-manager/datalayer'],
  },
  check(page, report) {
    const byId = groupBy(
      ofKind(page, 'loader').filter(s => s.library === 'gtm' && isLive(s)),
      s => s.id,
    );
    const ids = [...byId.keys()];
    const second = byId.get(ids[1] ?? '')?.[0];
    if (second)
      report({
        at: second,
        message: 'multiple',
        values: { count: ids.length, ids: ids.slice(0, 10) },
        ids,
      });
  },
});
