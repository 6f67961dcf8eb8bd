import { openFonts } from '@compliance/core/entry';
import { loadFace } from '@compliance/fonts';
import type { Certificate, Store } from '@compliance/store';
import type { App } from '../app.ts';
import type { Merchant } from '../merchant.ts';

/** The faces that certificates are drawn with, read when a text first needs them. */
export const fonts = openFonts(loadFace);

/** Where certificates of one shop are written: who asks, what is kept, where certificates are verified. */
export interface Desk {
  readonly merchant: Merchant;
  readonly certificates: Store['certificates'];
  /** Null while whoever runs the app has not said it: then nothing can be issued. */
  readonly baseUrl: string | null;
  readonly clock: () => number;
}

/** The desk of the merchant of a request. */
export const deskOf = ({ app, merchant }: { readonly app: App; readonly merchant: Merchant }): Desk => ({
  merchant,
  certificates: app.store.certificates,
  baseUrl: app.complianceUrl,
  clock: Date.now,
});

/** A certificate of this shop; null when there is none of this number, or it is another's. */
export async function ownCertificate({ merchant, certificates }: Desk, id: string): Promise<Certificate | null> {
  const [certificate, record] = await Promise.all([certificates.get(id), merchant.shop.record()]);
  return certificate && certificate.family === record?.family ? certificate : null;
}

const PRODUCT = 'gid://shopify/Product/';

/** Products by the number that stands in addresses. @example productGid('42') // 'gid://shopify/Product/42' */
export const productGid = (number: string): string => `${PRODUCT}${number}`;
export const productNumber = (gid: string): string => gid.slice(PRODUCT.length);
