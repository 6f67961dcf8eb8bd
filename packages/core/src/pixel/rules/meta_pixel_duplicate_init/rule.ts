import { codeInits, groupBy, isLive, ofKind, together, weakest } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'meta_pixel_duplicate_init',
    title: 'The same Meta pixel is started twice',
    severity: 'warn',
    since: null,
    owner: 'theme',
    what: 'Live code calls `fbq("init")` more than once with the same id. It is an error when the page view is tracked as often.',
    why: 'Each copy that tracks sends its own page view, so visits are counted twice.',
    fix: 'Keep one copy of the base code.',
    sources: ["Practice, as Meta's Pixel Helper reports it"],
  },
  check(evidence, report) {
    const views = ofKind(evidence, 'event').filter(
      s => s.vendor === 'meta' && s.method === 'track' && s.name === 'PageView' && isLive(s),
    );
    for (const [id, all] of groupBy(
      codeInits(evidence, 'meta').filter(s => s.api === 'fbq'),
      s => s.id.value,
    )) {
      const inits = together(all);
      if (inits.length < 2) continue;
      const doubled = together(views).length > 1;
      const message = `Meta pixel ${id} is started ${inits.length} times${doubled ? ' and the page view is tracked more than once' : ''}.`;
      report({
        at: inits[1]!,
        message,
        ids: [id],
        severity: doubled ? 'error' : 'warn',
        confidence: weakest(...inits.slice(0, 2)),
      });
    }
  },
});
