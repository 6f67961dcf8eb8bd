import { parseHtsCode, parseOrigin } from '@compliance/core/tariff';
import type { AuditLog } from '@compliance/store';
import type { Merchant } from '../../admin/merchant.ts';
import { inventoryItem } from '../../admin/operations/inventory-item.ts';
import { type InventoryItemInput, inventoryItemUpdate } from '../../admin/operations/inventory-item-update.ts';
import { usCodeOf } from '../model/catalog-item.ts';
import type { TariffResult } from '../model/classify.ts';

/** HTS code and country of origin. */
export interface Codes {
  readonly htsCode: string | null;
  readonly origin: string | null;
}

/** Change to one variant. */
export interface CodeUpdate {
  readonly variantId: string;
  /** Values shown to the merchant before the change. */
  readonly expected: Codes;
  /** Values to write. A null value leaves the current value unchanged. */
  readonly wanted: Codes;
}

/**
 * Reason that a value wasn't written. `changed_meanwhile` means that the value in Shopify changed after the merchant
 * saw it. `gone` means that the variant no longer exists. `refused` means that Shopify rejected the value and returned
 * a message.
 */
export interface SaveFault {
  readonly code: 'bad_code' | 'bad_origin' | 'nothing' | 'changed_meanwhile' | 'gone' | 'refused';
  readonly field: keyof Codes | null;
  readonly message: string | null;
}

/** Options for saving codes. */
export interface SaveOptions {
  readonly audit: AuditLog;
  readonly signal: AbortSignal;
}

/**
 * Normalizes typed or imported codes. HTS codes contain only digits, as Shopify expects, and countries are ISO 3166-1
 * alpha-2 codes.
 *
 * @example cleanCodes({ htsCode: '7318.15.2061', origin: 'tw' }) // { codes: { htsCode: '7318152061', origin: 'TW' } }
 */
export function cleanCodes({ htsCode, origin }: Codes): { readonly codes: Codes } | { readonly fault: SaveFault } {
  const code = htsCode?.trim() ? parseHtsCode(htsCode) : null;
  // Shopify requires at least six digits.
  if (code && (!code.ok || code.digits.length < 6)) return fault('bad_code', 'htsCode');
  const country = origin?.trim() ? parseOrigin(origin.trim()) : null;
  if (origin?.trim() && country === null) return fault('bad_origin', 'origin');
  return { codes: { htsCode: code?.ok ? code.digits : null, origin: country } };
}

/**
 * Writes an HTS code, a country of origin, or both to Shopify, unless either value has changed since the merchant saw
 * it. Skips values that Shopify already has. If the variant has a code for the United States, updates that code.
 * Otherwise, updates the general code.
 *
 * @returns the product to reread, or the reason that the value wasn't written
 * @throws AdminApiError `forbidden` if the app lacks the `write_inventory` scope
 */
export async function saveCode(
  { admin, shop }: Merchant,
  { variantId, expected, wanted }: CodeUpdate,
  { audit, signal }: SaveOptions,
): Promise<{ readonly productId: string } | { readonly fault: SaveFault }> {
  const cleaned = cleanCodes(wanted);
  if ('fault' in cleaned) return cleaned;
  const { codes } = cleaned;
  if (codes.htsCode === null && codes.origin === null) return fault('nothing', null);
  const known = await shop.variants.get(variantId);
  if (!known) return fault('gone', null);
  const { productId } = known;
  const id = (known.answer as TariffResult).inventoryItemId;
  const { inventoryItem: item } = await admin.run(inventoryItem, { id }, { signal });
  if (!item) return fault('gone', null);

  const countries = item.countryHarmonizedSystemCodes.nodes;
  const usCode = usCodeOf(countries);
  const now: Codes = { htsCode: usCode ?? (item.harmonizedSystemCode || null), origin: item.countryCodeOfOrigin };
  const isThere = (field: keyof Codes) => codes[field] === null || codes[field] === now[field];
  if (isThere('htsCode') && isThere('origin')) return { productId };
  if (now.htsCode !== expected.htsCode) return fault('changed_meanwhile', 'htsCode');
  if (now.origin !== expected.origin) return fault('changed_meanwhile', 'origin');

  const code = isThere('htsCode') ? null : codes.htsCode;
  const forUs = countries.map(one => (one.countryCode === 'US' ? { ...one, harmonizedSystemCode: code! } : one));
  const input: InventoryItemInput = {
    ...(code !== null && (usCode === null ? { harmonizedSystemCode: code } : { countryHarmonizedSystemCodes: forUs })),
    ...(!isThere('origin') && { countryCodeOfOrigin: codes.origin! }),
  };
  const { inventoryItemUpdate: update } = await admin.run(inventoryItemUpdate, { id, input }, { signal });
  const [refused] = update?.userErrors ?? [];
  if (refused) return fault('refused', fieldOf(refused.field), refused.message);

  const family = (await shop.record())?.family ?? 'unknown';
  await audit.append({
    // The log is permanent, so the entry identifies neither the shop nor a user. A certificate family ID can't be
    // traced back to the shop after the shop's data is erased.
    ...{ actor: family, action: 'catalog.save_code', subject: `${family} ${variantId}` },
    before: { ...now },
    after: { htsCode: codes.htsCode ?? now.htsCode, origin: codes.origin ?? now.origin },
  });
  return { productId };
}

function fault(code: SaveFault['code'], field: SaveFault['field'], message: string | null = null) {
  return { fault: { code, field, message } };
}

function fieldOf(path: readonly string[] | null): SaveFault['field'] {
  if (path?.includes('harmonizedSystemCode')) return 'htsCode';
  return path?.includes('countryCodeOfOrigin') ? 'origin' : null;
}
