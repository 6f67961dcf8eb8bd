import { createHash } from 'node:crypto';
import { START, type StoreHarness } from '../../testing/contract/harness.ts';
import type {
  NewDraftAttachment,
  NewRendering,
  NewScan,
  NewVariant,
  ObservedFinding,
  Shop,
  ShopStore,
} from '../index.ts';

export const ONE = 'one.myshopify.com';
export const TWO = 'two.myshopify.com';

/** Installs the app in a shop, and returns the shop. */
export async function installed(harness: StoreHarness<ShopStore>, domain = ONE): Promise<Shop> {
  await harness.store.shops.install(domain, { scopes: ['read_products', 'read_themes'] });
  return harness.store.shop(domain);
}

export function observed(fingerprint: string, place = 'page /', more: Partial<ObservedFinding> = {}): ObservedFinding {
  return { fingerprint, ruleId: 'a_rule', severity: 'warn', place, detail: { message: fingerprint }, ...more };
}

let scans = 0;

/** Returns a complete scan of one page. */
export function newScan(more: Partial<NewScan> = {}): NewScan {
  return {
    id: `scan-${++scans}`,
    trigger: 'merchant',
    state: 'complete',
    reason: null,
    startedAt: START - 1000,
    score: 90,
    scoreVersion: 1,
    breakdown: [{ rule_id: 'a_rule', count: 1, points: 10 }],
    theme: { id: 'gid://shopify/OnlineStoreTheme/1', name: 'Dawn' },
    coverage: { read: ['page /'], not: [] },
    inventory: { tags: [] },
    findings: [],
    covered: ['page /'],
    ...more,
  };
}

/** Returns a PDF file to attach to a draft. */
export function newDraftAttachment(draftId: string, text: string, filename = 'report.pdf'): NewDraftAttachment {
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { draftId, productId: 'p', filename, mediaType: 'application/pdf', size: bytes.length, sha256, bytes };
}

let renderings = 0;

/** Returns a complete rendering without verdicts. */
export function newRendering(more: Partial<NewRendering> = {}): NewRendering {
  return {
    ...{ id: `rendering-${++renderings}`, state: 'complete', reason: null, startedAt: START - 1000, score: 90 },
    ...{ detail: { events: 3 }, verdicts: new Map(), ...more },
  };
}

export function newVariant(n: number | string, more: Partial<NewVariant> = {}): NewVariant {
  return {
    variantId: `gid://shopify/ProductVariant/${n}`,
    productId: `gid://shopify/Product/${n}`,
    productTitle: `Product ${n}`,
    variantTitle: 'Default',
    productType: 'Hardware',
    imageUrl: `https://cdn.shopify.com/s/files/${n}.png`,
    sku: `SKU-${n}`,
    htsCode: '7318.15.2010',
    origin: 'CN',
    digits: 'full',
    status: 'hit',
    answer: { hit: true },
    listVersion: 'v1',
    price: '24.00',
    duty: { min: 240, max: 1200 },
    ...more,
  };
}
