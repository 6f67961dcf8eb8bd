import { type CodeCandidate, parseHtsCode } from '@compliance/core/tariff';
import type { Shop } from '@compliance/store/shop';
import { z } from 'zod';
import type { Merchant } from '../../admin/merchant.ts';
import { everyRow, pageAt } from '../../lib/paging.ts';
import { tryParseJson } from '../../lib/try-parse-json.ts';
import { candidatesFor, type HtsText } from '../hts-text.ts';
import type { TariffResult } from '../model/classify.ts';
import type { CodeUpdate } from '../save/save-code.ts';
import { enqueueSave, latestSave, MAX_CHANGES } from '../save/save-job.ts';

/** Number of groups per page. */
const PAGE_SIZE = 25;

/** Digit states that merchants can fix in bulk. */
const BULK_DIGITS = ['short', 'missing', 'invalid'] as const;

const querySchema = z.object({
  digits: z.enum(BULK_DIGITS).catch('short'),
  cursor: z.string().max(2000).optional().catch(undefined),
});

/** Selected tab and page, from the URL. */
export type BulkQuery = z.infer<typeof querySchema>;

/** Parses the bulk edit page's query parameters. Ignores invalid values. */
export const parseBulkQuery = (query: URLSearchParams): BulkQuery => querySchema.parse(Object.fromEntries(query));

/** Variants to assign the same code to. */
interface BulkGroup {
  /** Group key in the form: the shared code, or the product ID for variants without a code. */
  readonly key: string;
  /** Shared code in HTS notation if valid, otherwise as entered. Null for variants without a code. */
  readonly code: string | null;
  readonly productTitle: string;
  readonly variants: number;
  readonly products: number;
  /** Most specific official descriptions of the shared code, or null if unknown. */
  readonly description: readonly string[] | null;
  /** Covered codes that start with the shared code, at most ten. */
  readonly below: readonly string[];
  /** Codes that might apply to the variants, or null if no HTS text is loaded. */
  readonly candidates: readonly CodeCandidate[] | null;
}

/** Content of the bulk edit page. */
export interface BulkView {
  readonly asked: BulkQuery;
  /** Number of variants in each tab. */
  readonly counts: Readonly<Record<(typeof BULK_DIGITS)[number], number>>;
  readonly groups: readonly BulkGroup[];
  readonly next: string | null;
  readonly saving: Awaited<ReturnType<typeof latestSave>>;
}

/** Returns the content of the bulk edit page, using only stored data. */
export async function bulkEditOf(shop: Shop, asked: BulkQuery, hts: HtsText | null = null): Promise<BulkView> {
  const [byDigits, page, saving] = await Promise.all([
    shop.variants.countsByDigits(),
    pageAt(asked.cursor, cursor => shop.variants.groups({ digits: asked.digits, limit: PAGE_SIZE, cursor })),
    latestSave(shop),
  ]);
  const groups = page.rows.map(async ({ htsCode, productId, variantId, variants, products }) => {
    const first = await shop.variants.get(variantId);
    const { printed = null, below = [] } = (first?.answer ?? {}) as Partial<TariffResult>;
    return {
      ...{ key: htsCode ?? productId ?? '', code: printed ?? htsCode, variants, products },
      productTitle: first?.productTitle ?? '',
      description: (printed !== null && hts?.summarize(printed)) || null,
      below: [...new Set(below.map(({ hts }) => hts))],
      // One product's title doesn't describe the other products in its group.
      candidates:
        first &&
        candidatesFor(hts, {
          ...first,
          ...(products > 1 && { productTitle: '', variantTitle: '', productType: null }),
          printed,
        }),
    };
  });
  return {
    asked,
    counts: { short: byDigits.short ?? 0, missing: byDigits.missing ?? 0, invalid: byDigits.invalid ?? 0 },
    groups: await Promise.all(groups),
    next: page.next,
    saving,
  };
}

const formSchema = z
  .array(z.object({ key: z.string().min(1).max(200), code: z.string().max(50) }))
  .min(1)
  .max(PAGE_SIZE);

/**
 * Result of submitting the bulk edit form. `faults` lists the keys of the groups whose new code doesn't have ten
 * digits. `none` means that the groups no longer contain any variants. `more` means that the groups contain more
 * variants than one job can save, so the merchant must save the remaining variants afterward.
 */
export type BulkResult =
  | { readonly started: string; readonly variants: number; readonly more: boolean }
  | { readonly faults: readonly string[] }
  | { readonly refused: 'none' };

/**
 * Saves one ten-digit code for all variants in each group.
 *
 * @param text untrusted JSON: a list of groups, each with its key and its new code
 * @returns null if the JSON is invalid
 * @example
 * await saveBulkEdit(merchant, 'short', '[{"key":"731815","code":"7318.15.20.61"}]');
 */
export async function saveBulkEdit(
  merchant: Merchant,
  digits: BulkQuery['digits'],
  text: string,
): Promise<BulkResult | null> {
  const read = formSchema.safeParse(tryParseJson(text));
  if (!read.success) return null;
  const codes = read.data.map(({ key, code }) => ({ key, code: parseHtsCode(code) }));
  const faults = codes.flatMap(({ key, code }) => (code.ok && code.digits.length === 10 ? [] : [key]));
  if (faults.length > 0) return { faults };
  const changes: CodeUpdate[] = [];
  let more = false;
  for (const { key, code } of codes) {
    const filter = digits === 'missing' ? { productId: key } : { htsCode: key };
    const variants = everyRow(cursor => merchant.shop.variants.list({ digits, ...filter, limit: 500, cursor }));
    for await (const { variantId, htsCode, origin } of variants) {
      const wanted = { htsCode: code.ok ? code.digits : null, origin: null };
      more = changes.length === MAX_CHANGES;
      if (more) break;
      changes.push({ variantId, expected: { htsCode, origin }, wanted });
    }
  }
  if (changes.length === 0) return { refused: 'none' };
  const { id } = await enqueueSave(merchant, changes);
  return { started: id, variants: changes.length, more };
}
