import type { Limits } from '@compliance/store';
import type { Shop } from '@compliance/store/shop';

/** Maximum number of requests that one shop's admin extensions can send per minute and per day. */
const QUOTAS = { minute: 120, day: 20_000 };

/**
 * Counts a request from a shop's admin extension. All processes share the limit. The counter's name contains the shop's
 * certificate family ID, which doesn't identify the shop.
 *
 * @returns a response with status 429 if the limit is exceeded, or null
 * @example const refused = await limitExtensionRequest(merchant.shop, app.store.limits, Date.now());
 */
export async function limitExtensionRequest(shop: Shop, limits: Limits, now: number): Promise<Response | null> {
  const record = await shop.record();
  if (!record) return null;
  const { allowed, retryAt } = await limits.take(`extension ${record.family}`, QUOTAS);
  if (allowed) return null;
  const seconds = Math.max(1, Math.ceil(((retryAt ?? now) - now) / 1000));
  return Response.json({ error: 'rate_limited' }, { status: 429, headers: { 'Retry-After': `${seconds}` } });
}
