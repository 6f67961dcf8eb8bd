import type { ObservationOf } from '../../model/observation.ts';
import { groupBy, isInContainer, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';
import { vendorName } from '../../model/vendor.ts';

export default defineRule({
  meta: {
    id: 'gtm_custom_html_pixel',
    title: 'Pixel in a custom HTML tag',
    severity: 'info',
    since: null,
    owner: 'gtm',
    what: 'A custom HTML tag in a container initializes a pixel or a Google tag.',
    why: "Custom HTML can run any code, doesn't check consent on its own, and isn't updated when the vendor changes its snippet.",
    fix: "Use the vendor's Shopify app, or replace the custom HTML with the vendor's template from the Community Template Gallery.",
    messages: {
      initializes: 'Custom HTML in a container initializes the {vendor} tag {ids}.',
      initializes_unknown_id: 'Custom HTML in a container initializes the {vendor} tag.',
    },
    sources: ['https://support.google.com/tagmanager/answer/6107167'],
  },
  check(page, report) {
    const custom = new Map<string, ObservationOf<'container_tag'>>();
    for (const s of ofKind(page, 'container_tag')) if (s.tag.code === '__html') custom.set(s.where.source, s);
    const inits = ofKind(page, 'init').filter(s => isInContainer(s) && custom.has(s.where.source));
    for (const all of groupBy(inits, s => `${custom.get(s.where.source)!.container} ${s.vendor}`).values()) {
      const at = all[0]!;
      const values = { vendor: vendorName(at.vendor) };
      const ids = [...new Set(all.flatMap(s => s.id.value ?? []))];
      if (ids.length > 0) report({ at, message: 'initializes', values: { ...values, ids: ids.slice(0, 10) }, ids });
      else report({ at, message: 'initializes_unknown_id', values });
    }
  },
});
