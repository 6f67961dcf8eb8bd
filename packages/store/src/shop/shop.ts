import { createOwnProductCertificates, type OwnProductCertificates } from './catalog/product-certificates.ts';
import { createOwnVariants, type OwnVariants } from './catalog/variants.ts';
import { eraseWithin, exportLines } from './everything.ts';
import { createOwnSessions, type OwnSessions } from './installation/sessions.ts';
import {
  changeShop,
  nextScanAt,
  type ShopProfile,
  type ShopRecord,
  type ShopSettings,
  scopesText,
  toShopRecord,
} from './installation/shops.ts';
import { cancelWithin, createOwnJobs, type OwnJobs } from './jobs/jobs.ts';
import { createRetain, type Removed, type RetentionRule } from './retain.ts';
import { createOwnFindings, type OwnFindings } from './scans/findings.ts';
import { createOwnScans, type OwnScans } from './scans/scans.ts';
import { createOwnThemeFiles, type OwnThemeFiles } from './scans/theme-files.ts';
import type { ShopRow } from './schema.ts';
import type { Scope } from './scope.ts';

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
   * until `erase`. Twice is once, and for a shop that never was here nothing happens. News travels slowly: with `at`, when
   * it was removed (ms since epoch), nothing happens either if the shop was installed later than that. Gives whether the
   * shop is without the app now.
   *
   * @example
   * await store.shop(domain).uninstall({ at: Date.parse(headers.get('X-Shopify-Triggered-At')) });
   */
  uninstall(news?: { readonly at?: number | undefined }): Promise<boolean>;
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
  retain(rule: RetentionRule): Promise<Removed>;
  /**
   * Removes every row of the shop from every table, its jobs included, in one transaction; a running job can write nothing
   * afterwards. A job that erases its own shop is gone with it: there is nothing left to complete.
   *
   * Certificates that were issued stay, row and PDF: they must be kept for at least five years from their creation (16 CFR
   * § 1110.17), and `store.certificates` has no way to remove one. They are under the family of the shop's record. That record
   * goes, so nothing here says any more whose family it was; what remains is what the certificate itself must state. So that
   * it stays so, issue them with the family as `actor`, never the shop or a person: the audit log is kept, too. A certificate
   * is found by its id, as it is by anybody who holds one. A shop that comes back gets a new family.
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

export function createShop(scope: Scope): Shop {
  const { ledger, clock, shop, write, writeAnyway } = scope;
  const change = (values: Partial<ShopRow>) => write(trx => changeShop(trx, shop, values));

  return {
    domain: shop,

    async record() {
      const row = await ledger.selectFrom('shops').selectAll().where('shop', '=', shop).executeTakeFirst();
      return row ? toShopRecord(row) : null;
    },

    setProfile: ({ name, timeZone, primaryHost, locale }) =>
      write((trx, row) =>
        changeShop(trx, shop, {
          name: name ?? row.name,
          time_zone: timeZone ?? row.time_zone,
          primary_host: primaryHost ?? row.primary_host,
          locale: locale ?? row.locale,
        }),
      ),

    setScopes: scopes => change({ scopes: scopesText(scopes) }),

    setSettings: ({ schedule, ...settings }) =>
      write(async (trx, row) => {
        const kept = JSON.stringify({ ...JSON.parse(row.settings), ...settings });
        const next =
          schedule === undefined || schedule === row.schedule
            ? {}
            : { schedule, next_scan_at: nextScanAt(schedule, clock()) };
        return await changeShop(trx, shop, { settings: kept, ...next });
      }),

    setNeedsReopening: needsReopening =>
      write((trx, row) =>
        changeShop(trx, shop, { needs_reopening_at: needsReopening ? (row.needs_reopening_at ?? clock()) : null }),
      ),

    uninstall: ({ at } = {}) =>
      writeAnyway(async (trx, row) => {
        const lastInstall = row && (row.reinstalled_at ?? row.installed_at);
        if (row?.uninstalled_at === null && at !== undefined && lastInstall !== null && at < lastInstall) return false;
        await trx.deleteFrom('shop_sessions').where('shop', '=', shop).execute();
        await cancelWithin(trx, shop, clock());
        if (row?.uninstalled_at === null) await changeShop(trx, shop, { uninstalled_at: at ?? clock() });
        return true;
      }),

    sessions: createOwnSessions(scope),
    jobs: createOwnJobs(scope),
    scans: createOwnScans(scope),
    findings: createOwnFindings(scope),
    themeFiles: createOwnThemeFiles(scope),
    variants: createOwnVariants(scope),
    productCertificates: createOwnProductCertificates(scope),
    retain: createRetain(scope),
    erase: () => writeAnyway(trx => eraseWithin(trx, shop)),
    export: () => exportLines(ledger, shop),
  };
}
