import { groupBy, ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_duplicate_web_pixels',
    title: 'Two web pixels send to the same id',
    severity: 'error',
    since: null,
    owner: 'app',
    what: 'Two entries of the web pixel list carry the same id of the same vendor. Several custom pixels are an info: their code is not in the page.',
    why: 'Every event is counted once for each pixel.',
    fix: 'Disconnect one of the apps, or delete the custom pixel.',
    sources: ['https://shopify.dev/docs/apps/build/marketing-analytics/pixels'],
  },
  check(evidence, report) {
    const entries = ofKind(evidence, 'web_pixel');
    const carried = entries.flatMap(at => at.ids.map(id => ({ at, id })));
    for (const [key, all] of groupBy(carried, c => `${c.at.vendor} ${c.id}`)) {
      const [, second] = all;
      if (second) report({ at: second.at, message: `${all.length} web pixels send to ${key}.`, ids: [second.id] });
    }
    const custom = entries.filter(at => at.type === 'CUSTOM' && !at.entry.startsWith('shopify-'));
    const [, other] = custom;
    if (other) {
      const message = `${custom.length} custom pixels run; whether they send the same cannot be seen.`;
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
