import { ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

export default defineRule({
  meta: {
    id: 'shopify_pixel_purposes_empty',
    title: 'Web pixel runs without consent',
    severity: 'info',
    since: null,
    owner: 'app',
    what: "A pixel that can access the page doesn't declare any privacy purposes. The Google & YouTube app's pixel is ignored, because it never declares purposes.",
    why: 'Shopify loads a pixel if the visitor allows every purpose that the pixel declares. A pixel without declared purposes always loads.',
    fix: "For a custom pixel, set the required permission in Settings › Customer events. For an app pixel, ask the app developer to declare the pixel's purposes.",
    sources: ['https://shopify.dev/docs/api/web-pixels-api/pixel-privacy'],
  },
  check(page, report) {
    for (const at of ofKind(page, 'web_pixel')) {
      const canAccessPage = at.runtime === 'OPEN' || at.runtime === 'LAX';
      if (
        !canAccessPage ||
        at.purposes === null ||
        at.purposes.length > 0 ||
        at.app === '1780363' ||
        at.entry.startsWith('shopify-')
      )
        continue;
      const name = at.name ?? (at.app ? `from app ${at.app}` : at.entry);
      report({
        at,
        message: `The pixel ${name} doesn't declare any purposes, so it runs without consent.`.slice(0, 200),
        ids: [at.entry],
        owner: at.type === 'CUSTOM' ? 'shopify_admin' : 'app',
      });
    }
  },
});
