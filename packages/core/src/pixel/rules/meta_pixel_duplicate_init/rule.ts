import { codeInits, coexisting, groupBy, isLive, lowestConfidence, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_duplicate_init',
    title: 'Same Meta pixel initialized more than once',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: "Live code calls `fbq('init')` more than once with the same ID. The finding is more severe if `PageView` is also tracked more than once.",
    why: 'Each copy of the base code that tracks page views sends its own event, so visits are counted more than once.',
    fix: 'Keep one copy of the base code.',
    messages: {
      repeated: 'Meta pixel {id} is initialized {count} times.',
      repeated_page_views: 'Meta pixel {id} is initialized {count} times, and page views are tracked more than once.',
    },
    sources: ['Observed in practice. Meta Pixel Helper also reports this problem.'],
  },
  check(page, report) {
    const views = ofKind(page, 'event').filter(
      s => s.vendor === 'meta' && s.method === 'track' && s.name === 'PageView' && isLive(s),
    );
    for (const [id, all] of groupBy(
      codeInits(page, 'meta').filter(s => s.api === 'fbq'),
      s => s.id.value,
    )) {
      const inits = coexisting(all);
      if (inits.length < 2) continue;
      const repeatedViews = coexisting(views).length > 1;
      report({
        at: inits[1]!,
        message: repeatedViews ? 'repeated_page_views' : 'repeated',
        values: { id, count: inits.length },
        ids: [id],
        severity: repeatedViews ? 'error' : 'warn',
        confidence: lowestConfidence(...inits.slice(0, 2)),
      });
    }
  },
});
