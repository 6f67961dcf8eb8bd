import { ofKind } from '../../model/queries.ts';
import { defineRule } from '../../model/rule.ts';

/** Maximum length of a pixel name in the message. */
const MAX_NAME = 120;

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
    messages: {
      named: "The pixel {name} doesn't declare any purposes, so it runs without consent.",
      from_app: "The pixel from app {app} doesn't declare any purposes, so it runs without consent.",
    },
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
      report({
        at,
        ...(at.name === null && at.app
          ? { message: 'from_app', values: { app: at.app } }
          : { message: 'named', values: { name: (at.name ?? at.entry).slice(0, MAX_NAME) } }),
        ids: [at.entry],
        owner: at.type === 'CUSTOM' ? 'shopify_admin' : 'app',
      });
    }
  },
});
