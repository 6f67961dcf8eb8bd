import type { Merchant } from '../merchant.ts';

/**
 * Deletes all that is kept of a shop, once its merchant has typed the shop's domain. Certificates that were issued stay, for
 * the five years that the law asks the certifier to keep them; nothing says any more whose they were.
 *
 * @returns whether it was deleted; false when something else was typed
 */
export async function eraseShop({ shop, domain }: Merchant, typed: string): Promise<boolean> {
  if (typed.trim().toLowerCase() !== domain) return false;
  await shop.erase();
  return true;
}
