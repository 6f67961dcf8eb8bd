import { ofKind } from '../../evidence/queries.ts';
import { defineRule } from '../../rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_pixel_purposes_empty',
    title: 'A pixel runs without asking for consent',
    severity: 'info',
    since: null,
    owner: 'app',
    what: "A pixel that can reach the page declares no privacy purposes. Google's own app always does so and is left out.",
    why: 'Shopify loads a pixel when the visitor permits all purposes it declares. One that declares none is always loaded.',
    fix: 'Set the permission the pixel needs in Settings › Customer events, or ask the maker of the app.',
    sources: ['https://shopify.dev/docs/api/web-pixels-api/pixel-privacy'],
  },
  check(evidence, report) {
    for (const at of ofKind(evidence, 'web_pixel')) {
      const open = at.runtime === 'OPEN' || at.runtime === 'LAX';
      if (
        !open ||
        at.purposes === null ||
        at.purposes.length > 0 ||
        at.app === '1780363' ||
        at.entry.startsWith('shopify-')
      )
        continue;
      const name = at.name ?? (at.app ? `of app ${at.app}` : at.entry);
      report({
        at,
        message: `The pixel ${name} declares no purposes and runs without consent.`.slice(0, 200),
        ids: [at.entry],
        owner: at.type === 'CUSTOM' ? 'shopify_admin' : 'app',
      });
    }
  },
});
