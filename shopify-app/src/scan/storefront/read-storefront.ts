import type { Scanner, ScanRequest } from '@compliance/crawler';
import { type ChosenPage, choosePages } from './choose-pages.ts';
import { type PageReading, readStorefrontPage } from './read-storefront-page.ts';

/** Options for reading a storefront. */
export interface StorefrontOptions {
  readonly scanner: Scanner;
  /** Shop domain, which the pool uses to divide its capacity fairly among shops. */
  readonly shop: string;
  /** Origin of the shop's primary host, such as `https://www.shop.example`. */
  readonly origin: string;
  /**
   * Path of a product in the online store. The path is null if the online store has no products and undefined if the
   * path is unknown.
   */
  readonly product: string | null | undefined;
  /** Locations of open findings. */
  readonly openPlaces: readonly string[];
  /** Scan date, YYYY-MM-DD. */
  readonly asOf: string;
  readonly signal: AbortSignal;
  readonly report: (done: number, total: number) => void;
}

/** Number of concurrent page requests. The limit is low because the store serves shoppers at the same time. */
const AT_ONCE = 2;

/**
 * Reads the storefront pages for a scan. If the home page can't be read, skips the other pages, because reading those
 * pages would fail for the same reason.
 *
 * @throws PoolError `busy` if the pool is full
 */
export async function readStorefront(parts: StorefrontOptions): Promise<readonly PageReading[]> {
  const { scanner, shop, origin, asOf, signal, report } = parts;
  const request: ScanRequest = { asOf, caller: { lane: 'keyed', tenant: shop, signal } };
  const [home, ...others] = choosePages(parts.product, parts.openPlaces);
  const total = others.length + 1;
  report(0, total);
  const first = await readStorefrontPage(scanner, origin, home!, request);
  const readings: PageReading[] = [first];
  report(1, total);
  if (!first.scan) return [first, ...others.map(page => notRequested(page, first))];

  const read = async (index: number): Promise<void> => {
    for (let at = index; at < others.length; at += AT_ONCE) {
      signal.throwIfAborted();
      readings[at + 1] = await readStorefrontPage(scanner, origin, others[at]!, request);
      report(readings.filter(Boolean).length, total);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => read(index)));
  return readings;
}

/** Returns the result for a skipped page, with the same state as the home page. */
const notRequested = (page: ChosenPage, { coverage }: PageReading): PageReading => {
  const { kind, path } = page;
  return {
    coverage: { ...coverage, kind, path, state: path === null ? page.state : coverage.state, remarks: [] },
    scan: null,
  };
};
