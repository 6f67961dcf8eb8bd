import type { Page, PageQuery } from './page.ts';

/**
 * `issued`: a certificate is in force. Else `draft`: something was begun. Else `voided`: there was a certificate. Else `none`.
 */
export type ProductCertificateState = 'none' | 'draft' | 'issued' | 'voided';

/** Where a product stands. Times are ms since epoch. */
export interface ProductCertificate {
  readonly productId: string;
  readonly state: ProductCertificateState;
  /** What was filled in so far, any JSON value; null when nothing. It may stand beside a certificate that is to be replaced. */
  readonly draft: unknown;
  /** The newest certificate, in force or not, or null. */
  readonly gccId: string | null;
  readonly updatedAt: number | null;
}

/** One step of a product's history. */
export interface ProductCertificateEvent {
  readonly id: string;
  readonly productId: string;
  /** `issued` also for a successor, which `supersedes` another. */
  readonly event: 'issued' | 'voided';
  readonly gccId: string;
  readonly supersedes: string | null;
  readonly reason: string | null;
  /** Who did it, a user id of the shop's admin or a name. */
  readonly by: string;
  /** ms since epoch. */
  readonly at: number;
}

/** Which certificates belong to a shop's products. The certificates themselves are in `store.certificates`. */
export interface OwnProductCertificates {
  /** Where a product stands; `none` for one that nothing is known of. */
  get(productId: string): Promise<ProductCertificate>;
  /** Where several products stand, by their ids. */
  many(productIds: readonly string[]): Promise<ReadonlyMap<string, ProductCertificate>>;
  /** Keeps what was filled in, in the place of what was. */
  saveDraft(productId: string, draft: unknown): Promise<ProductCertificate>;
  /** Forgets what was filled in. */
  discardDraft(productId: string): Promise<ProductCertificate>;
  /** Says that a certificate was issued for a product; its draft is done with. Saying it twice changes nothing. */
  issued(
    productId: string,
    issue: { readonly gccId: string; readonly supersedes?: string | null | undefined; readonly by: string },
  ): Promise<ProductCertificate>;
  /** Says that a product's certificate was voided. @throws StoreError `certificate_unknown` when the product has no such one */
  voided(
    productId: string,
    end: { readonly gccId: string; readonly reason: string; readonly by: string },
  ): Promise<ProductCertificate>;
  /** All steps of a product, newest first. */
  history(productId: string): Promise<readonly ProductCertificateEvent[]>;
  /** Products of one state, also those that have left the catalog, by id. @throws StoreError `cursor_invalid` */
  list(
    query: { readonly state: Exclude<ProductCertificateState, 'none'> } & PageQuery,
  ): Promise<Page<ProductCertificate>>;
  /** Products of the catalog of which nothing is known here, by id. @throws StoreError `cursor_invalid` */
  missing(query: PageQuery): Promise<Page<{ readonly productId: string; readonly productTitle: string }>>;
  /** How many products there are of each state; `none` counts those of the catalog. */
  counts(): Promise<Readonly<Record<ProductCertificateState, number>>>;
}
