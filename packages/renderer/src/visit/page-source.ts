import type { VisitStep } from '@compliance/core/pixel';
import { siteOf } from '@compliance/crawler';
import type { Handling, PausedRequest } from '../browser/tab.ts';
import { ADD_TO_CART_PATH, type ShopSource } from '../journey/journey.ts';

/** Source of a visit's pages and files. */
export interface PageSource extends ShopSource {
  /** Script that runs in each document before the page's own scripts. */
  readonly initScript: string | undefined;
  /** Decides what happens to a request that isn't a beacon. Neither throws nor rejects. */
  respond(request: PausedRequest, step: VisitStep): Handling | Promise<Handling>;
}

/** Paths that a visit never opens, because they belong to a checkout, an order, or an account. */
const NEVER_OPENED = /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?(?:checkouts?|account|orders|payments?)(?:\/|$)/i;

/** Shopify hosts for checkouts, customer accounts, and orders. */
const CHECKOUT_HOSTS = /(?:^|\.)(?:shop\.app|(?:pay|checkout|account)\.shopify\.com)$/;

/**
 * Lets a live page load from the network, but keeps the tab on its site, away from checkouts, orders, and accounts, and
 * within the pages that robots.txt allows. The tab can submit POST forms only to add a product to the cart.
 *
 * @param allows returns whether robots.txt allows a URL; never rejects
 * @example livePage('https://shop.example/', url => robots.allows(url))
 */
export function livePage(url: string, allows: (url: URL) => Promise<boolean>): PageSource {
  const site = siteOf(new URL(url));
  return {
    ...{ url, isSaved: false, initScript: undefined, allows },
    respond({ url: address, method, type, navigatesTab }, step) {
      const target = new URL(address);
      const isOnSite = siteOf(target) === site;
      const isRead = method === 'GET' || method === 'HEAD';
      const isPurchase = isOnSite ? NEVER_OPENED.test(target.pathname) : CHECKOUT_HOSTS.test(target.hostname);
      if (isPurchase && (type === 'Document' || !isRead)) return 'fail';
      if (!navigatesTab) return 'continue';
      const addsToCart = step === 'add_to_cart' && ADD_TO_CART_PATH.test(target.pathname);
      if (!isOnSite || !(isRead || addsToCart)) return 'fail';
      return allows(target).then(isAllowed => (isAllowed ? 'continue' : 'fail'));
    },
  };
}
