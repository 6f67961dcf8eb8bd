import type { Page, PageQuery } from './page.ts';

/** A variant of the catalog with the answer of the tariff lists for it. Words of `digits` and `status` are the caller's. */
export interface NewVariant {
  readonly variantId: string;
  readonly productId: string;
  readonly productTitle: string;
  readonly variantTitle: string;
  readonly sku: string | null;
  /** The HTS code as it was entered, or null. */
  readonly htsCode: string | null;
  /** ISO alpha-2, or null. */
  readonly origin: string | null;
  /** Whether the code has the digits that an answer needs, such as `missing`, `short`, `full`. */
  readonly digits: string;
  /** The answer in a word, such as `hit`, `clear`, `invalid`. */
  readonly status: string;
  /** The answer itself, any JSON value. */
  readonly answer: unknown;
  /** The version of the lists that it was answered under. */
  readonly listVersion: string;
}

/** What became different, by a field's name; `answer` has neither value, it is too large. */
export interface VariantChange {
  readonly field: 'htsCode' | 'origin' | 'status' | 'answer';
  readonly from: string | null;
  readonly to: string | null;
}

/** A variant as it is kept. Times are ms since epoch. */
export interface Variant extends NewVariant {
  readonly checkedAt: number;
  /** When one of the fields of `changes` last became different; null when none ever did. */
  readonly changedAt: number | null;
  readonly changes: readonly VariantChange[];
}

/** Which variants; what is left out does not matter. */
export interface VariantFilter {
  readonly status?: string | undefined;
  readonly digits?: string | undefined;
  /** Stands in titles, SKU or code, letter case aside. Dots and spaces within a code do not matter. */
  readonly text?: string | undefined;
  readonly productId?: string | undefined;
}

/** How many variants there are, and of each word; words that none has are left out. */
export interface VariantCounts {
  readonly total: number;
  readonly products: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly byDigits: Readonly<Record<string, number>>;
  /** How many were answered under each version of the lists. */
  readonly byListVersion: Readonly<Record<string, number>>;
}

/** The catalog of one shop. */
export interface OwnVariants {
  /**
   * Keeps variants as part of a run, any number; every thousand is a transaction of its own. `run` names the run, such as
   * the id of its job.
   *
   * @throws StoreError `lease_lost` behind a fence
   * @example
   * for await (const batch of batches) await job.shop.variants.upsert(job.id, batch);
   * await job.shop.variants.sweep(job.id);
   */
  upsert(run: string, variants: readonly NewVariant[]): Promise<void>;
  /** Removes the variants that a full run did not see. Call it only when the run has seen the whole catalog. Gives how many. */
  sweep(run: string): Promise<number>;
  /** Removes variants that Shopify says are gone. Gives how many. */
  remove(which: { readonly productId: string } | { readonly variantIds: readonly string[] }): Promise<number>;
  /** The variant with this id, or null. */
  get(variantId: string): Promise<Variant | null>;
  /** By titles, letter case aside. @throws StoreError `cursor_invalid` */
  list(query: VariantFilter & PageQuery): Promise<Page<Variant>>;
  counts(): Promise<VariantCounts>;
  /**
   * Variants whose answer became another one under this version of the lists, code and origin being the same. By titles.
   *
   * @throws StoreError `cursor_invalid`
   */
  changedBy(listVersion: string, query: PageQuery): Promise<Page<Variant>>;
}
