import type { Effect } from '../script/effect.ts';
import type { Add } from '../vendors/report.ts';

/** The platform's own code, which may use what a theme should not. */
const isPlatform = (effect: Effect): boolean =>
  effect.inside.some(f => /:(?:trekkie|ShopifyAnalytics|asyncLoad)$/.test(f));

/** Reads the use of Shopify's undocumented or retired interfaces by code of the shop. */
export function readShopifyCall(effect: Effect, add: Add): void {
  if (effect.op === 'read') {
    if (
      effect.path.startsWith('Shopify.checkout.') &&
      /^Shopify\.checkout\.(?:order_id|total_price|line_items|subtotal_price|email|order_number|currency|customer_id)/.test(
        effect.path,
      )
    ) {
      add({ kind: 'shopify_api', api: 'checkout', detail: effect.path });
    } else if (effect.path.startsWith('ShopifyAnalytics.meta.')) {
      add({ kind: 'shopify_api', api: 'analytics_meta', detail: effect.path });
    }
    return;
  }
  if (effect.op === 'define' && effect.path === 'ShopifyAnalytics.merchantGoogleAnalytics' && !effect.empty) {
    add({ kind: 'shopify_api', api: 'merchant_ga', detail: effect.path });
    return;
  }
  if (
    effect.op === 'call' &&
    /^(?:ShopifyAnalytics\.lib|trekkie)\.(?:track|page|ready)$/.test(effect.path) &&
    !isPlatform(effect)
  ) {
    if (!effect.path.endsWith('ready')) add({ kind: 'shopify_api', api: 'analytics_lib', detail: effect.path });
  }
}

/** Scripts that tell Shopify about abandoned pages: they name the host they report to, and read `_shopify_s` themselves. */
export const beaconScripts = (effects: readonly Effect[]): ReadonlySet<number> =>
  new Set(effects.filter(e => e.op === 'literal' && e.text.includes('monorail-edge')).map(e => e.script));

/** Reads words in the shop's own code that name cookies Shopify no longer sets. */
export function readShopifyMention(
  effect: Extract<Effect, { op: 'literal' }>,
  beacons: ReadonlySet<number>,
  add: Add,
): void {
  const cookie = /_shopify_(?:[sy]|country)\b|_tracking_consent|_landing_page|_orig_referrer/.exec(effect.text)?.[0];
  if (!cookie || effect.text.length > 120 || /\s\w+\s/.test(effect.text)) return;
  if (!beacons.has(effect.script)) add({ kind: 'shopify_api', api: 'cookie', detail: cookie });
}
