import { groupBy, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';
import { vendorName } from '../../model/vendor.ts';

export default defineRule({
  meta: {
    id: 'shopify_duplicate_web_pixels',
    title: 'Multiple web pixels might send the same events',
    severity: 'error',
    since: null,
    owner: 'app',
    what: "Multiple entries in the web pixel list have the same ID for the same vendor. Multiple custom pixels are reported as a note, because their code isn't on the page and the scan can't compare their events.",
    why: 'If pixels send the same event to the same ID, the event is counted once for each pixel.',
    fix: 'Keep only one pixel for each ID. Disconnect the other apps, and delete custom pixels that send the same events.',
    messages: {
      same_id: '{count} web pixels send data to {vendor} {id}.',
      custom: "The page runs {count} custom pixels. The scan can't determine whether they send the same events.",
    },
    sources: ['https://shopify.dev/docs/apps/build/marketing-analytics/pixels'],
  },
  check(page, report) {
    const entries = ofKind(page, 'web_pixel');
    const withIds = entries.flatMap(at => at.ids.map(id => ({ at, id })));
    for (const all of groupBy(withIds, c => `${c.at.vendor} ${c.id}`).values()) {
      const [, second] = all;
      if (!second) continue;
      const { at, id } = second;
      report({ at, message: 'same_id', values: { count: all.length, vendor: vendorName(at.vendor), id }, ids: [id] });
    }
    const custom = entries.filter(at => at.type === 'CUSTOM' && !at.entry.startsWith('shopify-'));
    const [, other] = custom;
    if (other) {
      report({
        at: other,
        message: 'custom',
        values: { count: custom.length },
        ids: custom.map(at => at.entry),
        severity: 'info',
        variant: 'custom',
        owner: 'shopify_admin',
      });
    }
  },
});
