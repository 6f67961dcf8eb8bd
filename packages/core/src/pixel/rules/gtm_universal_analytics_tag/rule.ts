import { term } from '../../model/message.ts';
import { groupBy, isPresent, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'gtm_universal_analytics_tag',
    title: 'Universal Analytics tags in a Tag Manager container',
    severity: 'error',
    since: '2023-07-01',
    owner: 'gtm',
    what: 'The page loads a container that has Universal Analytics tags. Paused tags are ignored. The finding is a warning if the page also has a GA4 tag.',
    why: 'Universal Analytics stopped processing data on July 1, 2023 (July 1, 2024, for Universal Analytics 360), so these tags only slow down the page.',
    fix: 'In Tag Manager, replace the tags with GA4 tags, or delete them.',
    messages: {
      has_tags: '{container} has {tags}. Universal Analytics no longer processes data.',
      has_tags_for: '{container} has {tags} for {ids}. Universal Analytics no longer processes data.',
    },
    sources: ['https://support.google.com/analytics/answer/11583528'],
  },
  check(page, report) {
    const tags = ofKind(page, 'container_tag').filter(s => s.tag.code === '__ua');
    const hasGa4 =
      ofKind(page, 'init').some(s => s.vendor === 'google' && s.id.value?.startsWith('G-') && isPresent(s)) ||
      ofKind(page, 'loader').some(s => s.library === 'gtag' && s.id?.startsWith('G-') && isPresent(s));
    for (const [container, all] of groupBy(tags, s => s.container ?? '')) {
      const ids = [...new Set(all.flatMap(s => s.tag.ids.values))].sort();
      const values = {
        container: container ? term('named_container', { id: container }) : term('unnamed_container'),
        tags: all.length === 1 ? term('one_universal_tag') : term('several_universal_tags', { count: all.length }),
      };
      report({
        at: all.find(isPresent) ?? all[0]!,
        ...(ids.length > 0
          ? { message: 'has_tags_for', values: { ...values, ids: ids.slice(0, 10) } }
          : { message: 'has_tags', values }),
        ids,
        ...(hasGa4 && { severity: 'warn' }),
      });
    }
  },
});
