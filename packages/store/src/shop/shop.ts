import { createShopAlerts, type ShopAlerts } from './alerts.ts';
import { createShopDraftAttachments, draftFolder, type ShopDraftAttachments } from './catalog/draft-attachments.ts';
import { createShopProductCertificates, type ShopProductCertificates } from './catalog/product-certificates.ts';
import { createShopVariants, type ShopVariants } from './catalog/variants.ts';
import { createShopSessions, type ShopSessions } from './installation/sessions.ts';
import {
  changeShop,
  nextScanAt,
  type ShopProfile,
  type ShopRecord,
  type ShopSettings,
  scopesText,
  toShopRecord,
} from './installation/shops.ts';
import { cancelWithin, createShopJobs, type ShopJobs } from './jobs.ts';
import { eraseWithin, exportLines } from './privacy.ts';
import { createRetention, type RetentionPolicy, type RetentionResult } from './retention.ts';
import { createShopFindings, type ShopFindings } from './scans/findings.ts';
import { createShopRenderings, type ShopRenderings } from './scans/renderings.ts';
import { createShopScans, type ShopScans } from './scans/scans.ts';
import { createShopThemeFiles, type ShopThemeFiles } from './scans/theme-files.ts';
import type { ShopRow } from './schema.ts';
import type { ShopScope } from './scope.ts';

/**
 * One shop's data. The functions don't take a shop argument, so they can't access another shop's data. Returned by
 * `store.shop(domain)`. The `shop` of a claimed job has the same type and uses the job's lease as a fencing token.
 *
 * @example
 * const shop = store.shop(session.shop);
 * const { rows, next } = await shop.findings.list({ status: 'open', limit: 50 });
 */
export interface Shop {
  /** Shop domain, such as `some-name.myshopify.com`. */
  readonly domain: string;
  /** Returns the stored shop, or null if the shop never installed the app or its data was erased. */
  record(): Promise<ShopRecord | null>;
  /**
   * Updates the shop details from Shopify. Omitted fields don't change.
   *
   * @throws StoreError with `shop_unknown`
   */
  setProfile(profile: Partial<ShopProfile>): Promise<ShopRecord>;
  /**
   * Updates the granted scopes.
   *
   * @throws StoreError with `shop_unknown`
   */
  setScopes(scopes: readonly string[]): Promise<ShopRecord>;
  /**
   * Updates settings. Omitted fields don't change. If `schedule` changes, the next scan is due one period from now.
   *
   * @throws StoreError with `shop_unknown`
   */
  setSettings(settings: Partial<ShopSettings>): Promise<ShopRecord>;
  /**
   * Records whether the shop's tokens can be renewed.
   *
   * @throws StoreError with `shop_unknown`
   */
  setNeedsReopening(needsReopening: boolean): Promise<ShopRecord>;
  /**
   * Records that the app was uninstalled. Deletes the sessions, cancels all jobs, and keeps all other data until
   * `erase` is called, in case the app is reinstalled. If the shop is unknown or already recorded as uninstalled,
   * deletes only the sessions, because any jobs that the shop still has are meant to run after an uninstall. Webhooks
   * can arrive late, so pass the time of the uninstall as `at` (milliseconds since the Unix epoch). If the shop
   * installed the app after that time, the function changes nothing and returns false. Otherwise, it returns true.
   *
   * @example
   * await store.shop(domain).uninstall({ at: Date.parse(headers.get('X-Shopify-Triggered-At')) });
   */
  uninstall(news?: { readonly at?: number | undefined }): Promise<boolean>;
  readonly sessions: ShopSessions;
  readonly jobs: ShopJobs;
  readonly scans: ShopScans;
  readonly findings: ShopFindings;
  readonly renderings: ShopRenderings;
  readonly themeFiles: ShopThemeFiles;
  readonly variants: ShopVariants;
  readonly productCertificates: ShopProductCertificates;
  readonly draftAttachments: ShopDraftAttachments;
  /** Alerts that are emailed to the merchant. */
  readonly alerts: ShopAlerts;
  /** Events that are sent to Shopify Flow. */
  readonly flowTriggers: ShopAlerts;
  /**
   * Deletes data that predates `olderThan` (milliseconds since the Unix epoch): ended jobs, fixed findings, all scans
   * except the newest `keepScans` scans and the newest complete scan, and all renderings except the newest one and the
   * newest one that opened the storefront. Returns the numbers of deleted scans, findings, and jobs.
   */
  retain(rule: RetentionPolicy): Promise<RetentionResult>;
  /**
   * Deletes the files attached to the shop's drafts and, in one transaction, all of the shop's rows from every table,
   * including its jobs. Running jobs can't write afterward. A job that erases its own shop is deleted too, so the
   * worker doesn't need to complete the job.
   *
   * Issued certificates and their PDFs are kept, because the law requires keeping them for at least five years from
   * their creation (16 CFR 1110.17). `store.certificates` can't delete them. Certificates belong to the key family in
   * the shop's record. After that record is deleted, the store no longer links the family to the shop. A certificate
   * contains only the content that the law requires. The audit log is also kept, so when you issue certificates, pass
   * the key family as `actor`, never the shop or a person. You can still find a certificate by its ID. A shop that
   * reinstalls the app gets a new family.
   */
  erase(): Promise<void>;
  /**
   * Yields all of the shop's data as JSON Lines, such as `{"table":"shop_scans","row":{…}}`. Includes sessions without
   * their tokens, and the content of the files attached to drafts. Reads rows one page at a time, so exporting a large
   * shop doesn't require much memory.
   *
   * @example
   * return new Response(ReadableStream.from(shop.export()).pipeThrough(new TextEncoderStream()));
   */
  export(): AsyncIterable<string>;
}

export function createShop(scope: ShopScope): Shop {
  const { durable, clock, files, shop, write, writeAnyway } = scope;
  const draftAttachments = createShopDraftAttachments(scope);
  const change = (values: Partial<ShopRow>) => write(trx => changeShop(trx, shop, values));

  return {
    domain: shop,

    async record() {
      const row = await durable.selectFrom('shops').selectAll().where('shop', '=', shop).executeTakeFirst();
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
        if (row?.uninstalled_at !== null) return true;
        await cancelWithin(scope, trx, shop);
        await changeShop(trx, shop, { uninstalled_at: at ?? clock() });
        return true;
      }),

    sessions: createShopSessions(scope),
    jobs: createShopJobs(scope),
    scans: createShopScans(scope),
    findings: createShopFindings(scope),
    renderings: createShopRenderings(scope),
    themeFiles: createShopThemeFiles(scope),
    variants: createShopVariants(scope),
    productCertificates: createShopProductCertificates(scope),
    draftAttachments,
    alerts: createShopAlerts(scope, 'shop_alerts'),
    flowTriggers: createShopAlerts(scope, 'shop_flow_triggers'),
    retain: createRetention(scope),
    async erase() {
      const folder = (await draftAttachments.drafts()).length > 0 ? draftFolder(shop) : null;
      // The rows are the only record of the files, so the files are deleted first. They're deleted a second time, after
      // the rows, in case another request has just added one.
      if (folder !== null) await files.removeFolder(folder);
      await writeAnyway(trx => eraseWithin(trx, shop));
      if (folder !== null) await files.removeFolder(folder);
    },
    export: () => exportLines(durable, shop, draftAttachments),
  };
}
