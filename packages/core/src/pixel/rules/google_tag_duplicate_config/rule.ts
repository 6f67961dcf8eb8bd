import { coexisting, groupBy, isLive, lowestConfidence, ofKind, placeOf } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'google_tag_duplicate_config',
    title: 'Same Google ID configured more than once',
    severity: 'error',
    since: null,
    owner: 'theme',
    what: "The code calls `gtag('config')` more than once for the same ID, and more than one of these calls sends a page view.",
    why: 'Each of these calls sends a page view, so every page view is counted more than once.',
    fix: 'Keep one call, or set `send_page_view: false` in the other calls.',
    messages: {
      repeated: '{id} is configured {count} times, and each call sends a page view.',
      theme_and_container:
        '{id} is configured {count} times across the theme and the Tag Manager container, and each call sends a page view.',
      container_and_theme:
        '{id} is configured {count} times across the Tag Manager container and the theme, and each call sends a page view.',
    },
    sources: ['https://developers.google.com/tag-platform/gtagjs/reference'],
  },
  check(page, report) {
    // Compare consent-gated calls only with other consent-gated calls.
    const configs = ofKind(page, 'init').filter(
      s => s.api === 'gtag' && s.pageView !== false && (isLive(s) || s.state === 'gated'),
    );
    for (const all of groupBy(configs, s =>
      s.id.value === null ? null : `${s.state === 'gated'} ${s.id.value}`,
    ).values()) {
      const id = all[0]!.id.value!;
      const repeated = coexisting(all);
      const [, second] = repeated;
      if (!second) continue;
      const [place, other] = new Set(repeated.map(placeOf));
      const inBoth = place === 'theme' ? 'theme_and_container' : 'container_and_theme';
      const uncertain = repeated.some(s => s.pageView === null);
      report({
        at: second,
        message: other === undefined ? 'repeated' : inBoth,
        values: { id, count: repeated.length },
        ids: [id],
        confidence: uncertain ? 'possible' : lowestConfidence(...repeated.slice(0, 2)),
      });
    }
  },
});
