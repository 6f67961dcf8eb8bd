import type { Scanner } from '@compliance/crawler';
import { type ChosenPage, choosePages } from './choose-pages.ts';
import { type PageReading, readPage } from './read-page.ts';

/** What a storefront is read with. */
export interface StorefrontParts {
  readonly scanner: Scanner;
  /** Of the shop's primary host, such as `https://www.shop.example`. */
  readonly origin: string;
  /** Path of a product that shoppers can see, null when there is none, undefined when that is not known. */
  readonly product: string | null | undefined;
  /** Places of findings that are open. */
  readonly openPlaces: readonly string[];
  /** YYYY-MM-DD */
  readonly asOf: string;
  readonly signal: AbortSignal;
  readonly report: (done: number, total: number) => void;
}

/** How many pages are asked for at once: the store serves shoppers at the same time. */
const AT_ONCE = 2;

/**
 * Reads the pages of a storefront that a scan is made of. Where the home page cannot be had, the others are not asked for:
 * they are behind the same password or the same silence.
 *
 * @throws PoolError `busy` when there is no room to judge a page
 */
export async function readStorefront(parts: StorefrontParts): Promise<readonly PageReading[]> {
  const { scanner, origin, asOf, signal, report } = parts;
  const [home, ...others] = choosePages(parts.product, parts.openPlaces);
  const total = others.length + 1;
  report(0, total);
  const first = await readPage(scanner, origin, home!, asOf);
  const readings: PageReading[] = [first];
  report(1, total);
  if (!first.scan) return [first, ...others.map(page => untried(page, first))];

  const read = async (index: number): Promise<void> => {
    for (let at = index; at < others.length; at += AT_ONCE) {
      signal.throwIfAborted();
      readings[at + 1] = await readPage(scanner, origin, others[at]!, asOf);
      report(readings.filter(Boolean).length, total);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => read(index)));
  return readings;
}

/** A page that shares the fate of the home page. */
const untried = (page: ChosenPage, { coverage }: PageReading): PageReading => {
  const { kind, path } = page;
  return {
    coverage: { ...coverage, kind, path, state: path === null ? page.state : coverage.state, remarks: [] },
    scan: null,
  };
};
