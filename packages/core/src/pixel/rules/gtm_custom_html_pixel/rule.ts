import type { ObservationOf } from '../../model/observation.ts';
import { groupBy, isInContainer, ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';
import { VENDOR_NAMES } from '../../model/vendor.ts';

export default defineRule({
  meta: {
    id: 'gtm_custom_html_pixel',
    title: 'Pixel in a custom HTML tag',
    severity: 'info',
    since: null,
    owner: 'gtm',
    what: 'A custom HTML tag in a container initializes a pixel or a Google tag.',
    why: "Custom HTML can run any code, it doesn't check consent on its own, and the copied snippet is never updated.",
    fix: "Use the vendor's Shopify app, or replace the custom HTML with the vendor's template from the Community Template Gallery.",
    sources: ['https://support.google.com/tagmanager/answer/6107167'],
  },
  check(page, report) {
    const custom = new Map<string, ObservationOf<'container_tag'>>();
    for (const s of ofKind(page, 'container_tag')) if (s.tag.code === '__html') custom.set(s.where.source, s);
    const inits = ofKind(page, 'init').filter(s => isInContainer(s) && custom.has(s.where.source));
    for (const all of groupBy(inits, s => `${custom.get(s.where.source)!.container} ${s.vendor}`).values()) {
      const at = all[0]!;
      const vendor = VENDOR_NAMES[at.vendor];
      const ids = [...new Set(all.flatMap(s => s.id.value ?? []))];
      const pixel = ids.length > 0 ? `${vendor} tag ${ids.slice(0, 10).join(', ')}` : `${vendor} tag`;
      report({ at, message: `Custom HTML in a container initializes the ${pixel}.`, ids });
    }
  },
});
