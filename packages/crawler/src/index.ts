import { isPublicAddress } from './address/public-address.ts';
import { dial } from './connect/dial.ts';
import { createResolver } from './connect/resolve.ts';
import type { Transport } from './connect/transport.ts';
import { createCrawler, type FetchCapture } from './crawler.ts';

export { parseHttpsUrl } from './address/parse-target.ts';
export { isPublicAddress } from './address/public-address.ts';
export { siteOf } from './address/site.ts';
export type { CaptureNote, SkipReason, StorefrontCapture, TruncationReason } from './capture.ts';
export { createResolver } from './connect/resolve.ts';
export type { LookupFailure } from './connect/ssrf-guard.ts';
export type { Transport } from './connect/transport.ts';
export { isContact, userAgent } from './contact.ts';
export { createCrawler, type FetchCapture, type FetchOptions } from './crawler.ts';
export { createEgressProxy } from './egress/egress-proxy.ts';
export { createEgressTransport } from './egress/egress-transport.ts';
export { createForwardProxy, type ForwardProxyOptions, type ProxyConnection } from './egress/forward-proxy.ts';
export { createFileFetcher, type FileFetcher } from './file/fetch-file.ts';
export { type CrawlLimits, defaultCrawlLimits, defaultSiteLimits } from './limits.ts';
export { googleTagUrl, isGoogleTag } from './page/google-tag.ts';
export { listScripts } from './page/list-scripts.ts';
export { createTargetRate, type TargetRate } from './rate/target-rate.ts';
export { openRobotsReader, type RobotsReader } from './robots-reader.ts';
export type { ScanCaller, ScannerOptions } from './scan/admit-scan.ts';
export type { ScanRenderer, ScanRendererRequest, ScanRendering, SentEvents } from './scan/scan-renderer.ts';
export { createScanner, type Scanner, type ScanRequest, type StorefrontScan } from './scan/scanner.ts';
export { SCAN_FAILED_REASONS, ScanFailed, type ScanFailedReason, TargetBusy } from './scan-failed.ts';
export { createSiteScanner, type SiteScanner, type SiteScanRequest } from './site/site-scanner.ts';
export {
  createWebhookSender,
  type SendWebhook,
  type Webhook,
  type WebhookOutcome,
} from './webhook/send-webhook.ts';

/** Network access limited to the public internet. */
export const publicTransport: Transport = { resolve: createResolver(), isAllowed: isPublicAddress, dial };

/**
 * Fetches a storefront page and its scripts for a scan, with protection against SSRF.
 *
 * @throws ScanFailed if the URL doesn't return a page that can be scanned
 * @example
 * const pool = createPool({ workers: 2, timeoutMs: 5_000, memoryMb: 256, queue: 100 });
 * const capture = await fetchCapture('https://shop.example', { contact: 'https://scanner.example/about', pool });
 */
export const fetchCapture: FetchCapture = createCrawler(publicTransport);
