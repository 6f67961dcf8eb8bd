import type { OwnFindings } from './findings.ts';
import type { OwnJobs } from './jobs.ts';
import type { OwnProductCertificates } from './product-certificates.ts';
import type { OwnScans } from './scans.ts';
import type { OwnSessions } from './sessions.ts';
import type { ShopProfile, ShopRecord, ShopSettings } from './shops.ts';
import type { OwnThemeFiles } from './theme-files.ts';
import type { OwnVariants } from './variants.ts';

/**
 * One shop. Everything that is read or written through here is this shop's: no function takes a shop, so none can be given
 * a wrong one. Made by `store.shop(domain)`, and by a claimed job, then behind its fence.
 *
 * @example
 * const shop = store.shop(session.shop);
 * const { rows, next } = await shop.findings.list({ status: 'open', limit: 50 });
 */
export interface Shop {
  /** `some-name.myshopify.com` */
  readonly domain: string;
  /** What is remembered of the shop itself, or null when it never had the app or was erased. */
  record(): Promise<ShopRecord | null>;
  /** Keeps what Shopify tells of it; what is left out stays. @throws StoreError `shop_unknown` */
  setProfile(profile: Partial<ShopProfile>): Promise<ShopRecord>;
  /** Keeps which scopes are granted. @throws StoreError `shop_unknown` */
  setScopes(scopes: readonly string[]): Promise<ShopRecord>;
  /**
   * Changes settings; what is left out stays. A new `schedule` sets the next scan to one period from now.
   *
   * @throws StoreError `shop_unknown`
   */
  setSettings(settings: Partial<ShopSettings>): Promise<ShopRecord>;
  /** Says that the tokens can no longer be renewed, or that they can again. @throws StoreError `shop_unknown` */
  setNeedsReopening(needsReopening: boolean): Promise<ShopRecord>;
  /**
   * The app was removed: forgets the sessions, cancels every job at once, and keeps the rest for a merchant who comes back,
   * until `erase`. Twice is once, and for a shop that never was here nothing happens.
   */
  uninstall(): Promise<void>;
  readonly sessions: OwnSessions;
  readonly jobs: OwnJobs;
  readonly scans: OwnScans;
  readonly findings: OwnFindings;
  readonly themeFiles: OwnThemeFiles;
  readonly variants: OwnVariants;
  readonly productCertificates: OwnProductCertificates;
  /**
   * Removes what is old: scans that ended before `olderThan` (ms since epoch) but the newest `keepScans` and the newest
   * complete one, findings that were fixed before it, jobs that ended before it. Gives how many of each.
   */
  retain(rule: {
    readonly olderThan: number;
    readonly keepScans: number;
  }): Promise<{ readonly scans: number; readonly findings: number; readonly jobs: number }>;
  /**
   * Removes every row of the shop from every table, its jobs included, in one transaction; a running job can write nothing
   * afterwards.
   *
   * Certificates that were issued stay, row and PDF, for the five years that the law asks the certifier to keep them. They
   * are under the family of the shop's record. That record goes, so nothing here says any more whose family it was; what
   * remains is what the certificate itself must state. It is found by its id, as it is by anybody who holds one. A shop
   * that comes back gets a new family.
   */
  erase(): Promise<void>;
  /**
   * Everything that is kept of the shop, as JSON lines: `{"table":"shop_scans","row":{…}}` and a newline each. Of sessions
   * only the ids, never the tokens. Rows come in pages, so that of a large shop little is in memory at a time.
   *
   * @example
   * return new Response(ReadableStream.from(shop.export()).pipeThrough(new TextEncoderStream()));
   */
  export(): AsyncIterable<string>;
}
