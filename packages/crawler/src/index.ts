import { isPublicAddress } from './address/judge.ts';
import { dial } from './connect/dial.ts';
import type { Doors } from './connect/doors.ts';
import { createResolver } from './connect/resolve.ts';
import { createCrawler, type FetchCapture } from './crawler.ts';

export { isPublicAddress } from './address/judge.ts';
export { siteOf } from './address/site.ts';
export type { Capture, Cut, LeftOut, Note } from './capture.ts';
export type { Doors } from './connect/doors.ts';
export { createResolver } from './connect/resolve.ts';
export { isContact } from './contact.ts';
export { createCrawler, type FetchCapture, type FetchOptions } from './crawler.ts';
export { defaultLimits, type Limits } from './limits.ts';
export { listScripts } from './page/list-scripts.ts';
export { createScanner, type Scanner, type ScanRequest, type StorefrontScan } from './scan/scanner.ts';
export { type Reason, ScanFailed } from './scan-failed.ts';

/** The way out to the public internet and nowhere else. */
export const publicDoors: Doors = { resolve: createResolver(), judge: isPublicAddress, dial };

/**
 * Fetches a storefront page and the scripts it names, safely, for a scan.
 *
 * @throws ScanFailed when there is no page to scan
 * @example
 * const pool = createPool({ workers: 2, timeoutMs: 5_000, memoryMb: 256, queue: 100 });
 * const capture = await fetchCapture('https://shop.example', { contact: 'https://scanner.example/about', pool });
 */
export const fetchCapture: FetchCapture = createCrawler(publicDoors);
