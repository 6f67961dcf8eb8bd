import { parseHtsCode, parseOrigin } from '@compliance/core/tariff';
import type { AuditLog } from '@compliance/store';
import { inventoryItem } from '../../admin/operations/inventory-item.ts';
import { type InventoryItemInput, inventoryItemUpdate } from '../../admin/operations/inventory-item-update.ts';
import type { Merchant } from '../../merchant.ts';
import type { TariffAnswer } from '../answer.ts';
import { usCodeOf } from '../goods.ts';

/** A code and an origin, as they stand at Shopify or are to stand there. */
export interface Codes {
  readonly htsCode: string | null;
  readonly origin: string | null;
}

/** What is to be written for one variant. */
export interface CodeChange {
  readonly variantId: string;
  /** What the merchant saw when they decided. */
  readonly expected: Codes;
  /** What is to stand there; null leaves what is there. */
  readonly wanted: Codes;
}

/**
 * Why nothing was written. `changed_meanwhile`: Shopify has something else by now than the merchant saw. `gone`: it has no such
 * variant. `refused`: Shopify says no, in its own words.
 */
export interface SaveFault {
  readonly code: 'bad_code' | 'bad_origin' | 'nothing' | 'changed_meanwhile' | 'gone' | 'refused';
  readonly field: keyof Codes | null;
  readonly message: string | null;
}

/** Who writes, and where that is written down. */
export interface SaveOptions {
  readonly audit: AuditLog;
  readonly signal: AbortSignal;
}

/**
 * Reads what a merchant typed or a file holds: digits alone for a code, as Shopify takes it, and ISO alpha-2 for a country.
 *
 * @example cleanCodes({ htsCode: '7318.15.2061', origin: 'tw' }) // { codes: { htsCode: '7318152061', origin: 'TW' } }
 */
export function cleanCodes({ htsCode, origin }: Codes): { readonly codes: Codes } | { readonly fault: SaveFault } {
  const code = htsCode?.trim() ? parseHtsCode(htsCode) : null;
  // Shopify takes six digits and more.
  if (code && (!code.ok || code.digits.length < 6)) return fault('bad_code', 'htsCode');
  const country = origin?.trim() ? parseOrigin(origin.trim()) : null;
  if (origin?.trim() && country === null) return fault('bad_origin', 'origin');
  return { codes: { htsCode: code?.ok ? code.digits : null, origin: country } };
}

/**
 * Writes a code or an origin to Shopify, if Shopify still has what the merchant saw. What is there already is not written. A
 * code for the United States stays one for the United States; else it is the code for any country.
 *
 * @returns the product, to be read anew; or why nothing was written
 * @throws AdminFailed `forbidden` without the scope `write_inventory`
 */
export async function saveCode(
  { admin, shop, user }: Merchant,
  { variantId, expected, wanted }: CodeChange,
  { audit, signal }: SaveOptions,
): Promise<{ readonly productId: string } | { readonly fault: SaveFault }> {
  const cleaned = cleanCodes(wanted);
  if ('fault' in cleaned) return cleaned;
  const { codes } = cleaned;
  if (codes.htsCode === null && codes.origin === null) return fault('nothing', null);
  const known = await shop.variants.get(variantId);
  if (!known) return fault('gone', null);
  const { productId } = known;
  const id = (known.answer as TariffAnswer).inventoryItemId;
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

  const record = await shop.record();
  await audit.append({
    // The family is whose nobody can tell once the shop is erased.
    ...{
      actor: `shopify-user:${user ?? 'unknown'}`,
      action: 'catalog.save_code',
      subject: `${record?.family} ${variantId}`,
    },
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
