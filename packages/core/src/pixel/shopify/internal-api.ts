import type { AddObservation } from '../model/observation.ts';
import type { Effect } from '../script/effect.ts';

/** Returns whether the effect is in Shopify's own code, which can use APIs that themes shouldn't use. */
const isShopifyCode = (effect: Effect): boolean =>
  effect.inside.some(f => /:(?:trekkie|ShopifyAnalytics|asyncLoad)$/.test(f));

/** Records calls to undocumented or retired Shopify APIs in shop code. */
export function readShopifyCall(effect: Effect, add: AddObservation): void {
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
    !isShopifyCode(effect)
  ) {
    if (!effect.path.endsWith('ready')) add({ kind: 'shopify_api', api: 'analytics_lib', detail: effect.path });
  }
}

/**
 * Returns the indexes of Shopify's abandonment beacon scripts. Each beacon script contains the hostname of Shopify's
 * `monorail-edge` service and reads the `_shopify_s` cookie.
 */
export const beaconScripts = (effects: readonly Effect[]): ReadonlySet<number> =>
  new Set(effects.filter(e => e.op === 'literal' && e.text.includes('monorail-edge')).map(e => e.script));

/** Records strings in shop code that name a discontinued Shopify cookie. */
export function readCookieName(
  effect: Extract<Effect, { op: 'literal' }>,
  beacons: ReadonlySet<number>,
  add: AddObservation,
): void {
  const cookie = /_shopify_(?:[sy]|country)\b|_tracking_consent|_landing_page|_orig_referrer/.exec(effect.text)?.[0];
  if (!cookie || effect.text.length > 120 || /\s\w+\s/.test(effect.text)) return;
  if (!beacons.has(effect.script)) add({ kind: 'shopify_api', api: 'cookie', detail: cookie });
}
