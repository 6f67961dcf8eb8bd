import type { Merchant } from '../admin/merchant.ts';

/**
 * Deletes all of a shop's data after the merchant confirms by typing the shop's domain. Issued certificates are kept
 * without a link to the shop, because the law requires keeping them for at least five years.
 *
 * @returns true if the data was deleted, or false if the text doesn't match the domain
 */
export async function eraseShop({ shop, domain }: Merchant, typed: string): Promise<boolean> {
  if (typed.trim().toLowerCase() !== domain) return false;
  await shop.erase();
  return true;
}
