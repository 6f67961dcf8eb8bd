import { groupBy, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_duplicate_web_pixels',
    title: 'Two web pixels send data to the same ID',
    severity: 'error',
    since: null,
    owner: 'app',
    what: "Two entries in the web pixel list have the same ID for the same vendor. Multiple custom pixels are reported as a note, because their code isn't on the page.",
    why: 'Every event is counted once for each pixel.',
    fix: 'Disconnect one of the apps, or delete the custom pixel.',
    sources: ['https://shopify.dev/docs/apps/build/marketing-analytics/pixels'],
  },
  check(page, report) {
    const entries = ofKind(page, 'web_pixel');
    const withIds = entries.flatMap(at => at.ids.map(id => ({ at, id })));
    for (const [key, all] of groupBy(withIds, c => `${c.at.vendor} ${c.id}`)) {
      const [, second] = all;
      if (second) report({ at: second.at, message: `${all.length} web pixels send data to ${key}.`, ids: [second.id] });
    }
    const custom = entries.filter(at => at.type === 'CUSTOM' && !at.entry.startsWith('shopify-'));
    const [, other] = custom;
    if (other) {
      const message = `The page runs ${custom.length} custom pixels. The scan can't see whether they send the same events.`;
      report({
        at: other,
        message,
        ids: custom.map(at => at.entry),
        severity: 'info',
        variant: 'custom',
        owner: 'shopify_admin',
      });
    }
  },
});
