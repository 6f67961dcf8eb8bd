import type { ShopRecord } from '@compliance/store/shop';
import { z } from 'zod';
import { AdminApiError } from '../admin/admin.ts';
import type { Merchant } from '../admin/merchant.ts';
import { activeSubscriptions } from '../admin/operations/active-subscriptions.ts';

/** Key of the shop setting that stores the result of the last plan check. */
const SETTING = 'plan';

/** Operator's billing settings. If billing is off, every shop can use the whole app, and no page mentions plans. */
export interface Billing {
  /** App handle, as shown in the Partner Dashboard and used in the pricing page's URL. */
  readonly appHandle: string;
  /** Domains of the shops that don't need a plan. */
  readonly foundingShops: readonly string[];
}

const checked = z.object({ name: z.string().nullable(), test: z.boolean(), at: z.number() });

/** A shop's plan. */
export interface Plan {
  /** `unknown` means that the plan hasn't been checked yet. While the plan is unknown, no automatic work is paused. */
  readonly status: 'founding' | 'active' | 'none' | 'unknown';
  /** Name of the active plan, or null. */
  readonly name: string | null;
  /** Whether this is a test plan, such as in a development store. Shopify doesn't charge for test plans. */
  readonly test: boolean;
  /** Shopify's page for choosing a plan. */
  readonly pricingUrl: string;
}

/**
 * Returns a shop's plan as of the last check, or null if billing is off or the shop has no record.
 *
 * @example planOf(await shop.record(), billing)?.status // 'active'
 */
export function planOf(record: ShopRecord | null, billing: Billing | null): Plan | null {
  if (billing === null || record === null) return null;
  const store = record.shop.replace('.myshopify.com', '');
  const pricingUrl = `https://admin.shopify.com/store/${store}/charges/${billing.appHandle}/pricing_plans`;
  if (billing.foundingShops.includes(record.shop)) return { status: 'founding', name: null, test: false, pricingUrl };
  const last = checked.safeParse(record.settings[SETTING]).data;
  if (!last) return { status: 'unknown', name: null, test: false, pricingUrl };
  return { status: last.name === null ? 'none' : 'active', name: last.name, test: last.test, pricingUrl };
}

/**
 * Returns whether the app's automatic work is paused for a shop. Automatic work is paused if billing is on and the shop
 * has no plan. Work that the merchant starts is never paused.
 */
export const isPaused = (record: ShopRecord | null, billing: Billing | null): boolean =>
  planOf(record, billing)?.status === 'none';

/**
 * Gets the shop's plan from Shopify, and stores it. Skips founding shops.
 *
 * @throws AdminApiError if Shopify doesn't return the plan, in which case the stored plan doesn't change
 */
export async function checkPlan(
  { shop, domain, admin }: Merchant,
  { billing, now, signal }: { readonly billing: Billing; readonly now: number; readonly signal?: AbortSignal },
): Promise<void> {
  if (billing.foundingShops.includes(domain)) return;
  const { currentAppInstallation } = await admin.run(activeSubscriptions, {}, signal && { signal });
  const [active] = currentAppInstallation.activeSubscriptions;
  await shop.setSettings({ [SETTING]: { name: active?.name ?? null, test: active?.test ?? false, at: now } });
}

/** Checks the plan while a page loads. If Shopify doesn't return the plan, keeps the stored plan. */
export async function tryToCheckPlan(merchant: Merchant, billing: Billing | null, now: number): Promise<void> {
  if (billing === null) return;
  try {
    await checkPlan(merchant, { billing, now });
  } catch (error) {
    if (!(error instanceof AdminApiError)) throw error;
  }
}
