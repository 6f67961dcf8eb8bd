import { groupBy, isLive, ofKind, together, weakest } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'google_tag_duplicate_config',
    title: 'The same Google id is configured twice',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: 'The code calls `gtag("config")` more than once for one id, and more than one of the calls sends a page view.',
    why: 'Every call sends a page view, so visits are counted twice.',
    fix: 'Keep one call, or give the others send_page_view: false.',
    sources: ['https://developers.google.com/tag-platform/gtagjs/reference'],
  },
  check(evidence, report) {
    // A copy that waits for consent doubles another that waits for the same.
    const configs = ofKind(evidence, 'init').filter(
      s => s.api === 'gtag' && s.pageView !== false && (isLive(s) || s.state === 'gated'),
    );
    for (const all of groupBy(configs, s =>
      s.id.value === null ? null : `${s.state === 'gated'} ${s.id.value}`,
    ).values()) {
      const id = all[0]!.id.value!;
      const twice = together(all);
      const [, second] = twice;
      if (!second) continue;
      const unsure = twice.some(s => s.pageView === null);
      report({
        at: second,
        message: `${id} is configured ${twice.length} times, each with a page view.`,
        ids: [id],
        confidence: unsure ? 'possible' : weakest(...twice.slice(0, 2)),
      });
    }
  },
});
