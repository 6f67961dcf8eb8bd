import type { Scanner, ScanRenderer } from '@compliance/crawler';
import type { Pool } from '@compliance/crawler/pool';
import type { Shop } from '@compliance/store/shop';
import { AdminApiError } from '../admin/admin.ts';
import type { JobContext, JobHandler } from '../jobs/job.ts';
import { sanitizeText } from '../lib/sanitize-text.ts';
import { recordErrorAlerts } from './error-alerts.ts';
import { type FinalizedScan, finalizeScan } from './finalize-scan.ts';
import { proposeThemeFixes } from './fixes/propose-theme-fixes.ts';
import { RENDER, wantsRendering } from './model/rendering.ts';
import type { FindingDetail, ScanInventory, ScanJobRequest, ScanOutcome, ScanProgress } from './model/types.ts';
import { refreshShop } from './refresh-shop.ts';
import { readStorefront } from './storefront/read-storefront.ts';
import { readTheme } from './theme/read-theme.ts';

/** Scan dependencies, apart from the shop. */
export interface ScanDeps {
  readonly scanner: Scanner;
  /** Pool of worker processes that scan theme files within resource limits. */
  readonly pool: Pool;
  /** Opens pages in an isolated browser, or null if this process doesn't open pages. */
  readonly renderScan: ScanRenderer | null;
  readonly clock: () => number;
}

/** Type of the job that scans a store. */
export const SCAN = 'scan';

/**
 * Creates the job that scans a store's storefront and the code in its published theme. The job records one scan under
 * the job ID, and lists the parts of the store that couldn't be read. If the job restarts after its worker dies, the
 * job still records only one scan.
 *
 * If browser checks are on, the job then enqueues a check in three cases: the merchant started the scan, a theme was
 * published, or the scan found urgent findings that are new or have reappeared. Alerts about those urgent findings are
 * delayed, so that the check can confirm or refute them.
 */
export const scanJob = ({ scanner, pool, renderScan, clock }: ScanDeps): JobHandler => ({
  kind: SCAN,
  async run({ job, merchant, signal, report }: JobContext): Promise<ScanOutcome> {
    const startedAt = clock();
    const asOf = new Date(startedAt).toISOString().slice(0, 10);
    const reportStep = (step: ScanProgress['step']) => (done: number, total: number) =>
      report({ step, done, total } satisfies ScanProgress);

    reportStep('shop')(0, 0);
    const { origin, host, scopes, product, lostAccess: lostAtStart } = await refreshShop(merchant, signal);
    const known = await loadPreviousScan(merchant.shop);
    const readings = await readStorefront({
      ...{ scanner, origin, asOf, signal, shop: merchant.domain },
      product: product === undefined ? known.product : product,
      openPlaces: known.openPlaces,
      report: reportStep('storefront'),
    });
    signal.throwIfAborted();
    const theme = await readTheme({
      admin: merchant.admin,
      scopes,
      jobs: pool.as({ lane: 'keyed', tenant: merchant.domain, target: 'theme', signal }),
      host,
      asOf,
      signal,
      report: reportStep('theme'),
    });
    signal.throwIfAborted();

    reportStep('settling')(0, 0);
    const { fault } = theme.coverage;
    const lostAccess = lostAtStart ?? (fault === 'revoked' || fault === 'frozen' ? fault : null);
    const { refuted, theme: before } = known;
    const isSameTheme = before !== undefined && before === theme.coverage.theme?.id;
    const inputs = { host, readings, ...known, theme, lostAccess, refuted: isSameTheme ? refuted : new Set<string>() };
    // Truncation might have split a character in text quoted from the store.
    const text = JSON.stringify(finalizeScan(inputs));
    const conclusion = JSON.parse(text, sanitizeText) as FinalizedScan;
    const { trigger } = job.payload as ScanJobRequest;
    const fixes = await proposeThemeFixes(conclusion.findings, theme, {
      jobs: pool.as({ lane: 'keyed', tenant: merchant.domain, target: 'theme', signal }),
      ...{ host, asOf },
    });
    signal.throwIfAborted();
    const recorded = await merchant.shop.scans.record({
      ...{ id: job.id, trigger, startedAt, ...conclusion },
      findings: conclusion.findings.map(finding => {
        const fix = fixes.get(finding.fingerprint);
        return fix ? { ...finding, currentDetail: { ...(finding.detail as FindingDetail), fix } } : finding;
      }),
    });
    const { state, score } = recorded;
    const rendersNext = renderScan !== null && wantsRendering(await merchant.shop.record());
    const hasNewErrors = await recordErrorAlerts(merchant.shop, clock(), recorded, conclusion.findings, {
      rendersNext,
    });
    if (rendersNext && (trigger === 'merchant' || trigger === 'theme_published' || hasNewErrors))
      await merchant.shop.jobs.enqueue({ kind: RENDER, whileRunning: 'again' });
    const { id } = theme.coverage.theme ?? {};
    if (id !== undefined && theme.coverage.state === 'read') {
      await merchant.shop.themeFiles.replace(
        id,
        theme.files.map(({ name, checksum }) => ({ name, checksum })),
      );
    }
    // The job stores the scan result even if Shopify has revoked access. Throw an error so that the worker then handles
    // the revoked access.
    if (lostAccess) throw new AdminApiError(lostAccess, SCAN);
    return { scanId: job.id, state, score };
  },
});

/** Loads the stored data from earlier scans. */
async function loadPreviousScan(shop: Shop) {
  const [latest, { byPlace }, accepted, refuted] = await Promise.all([
    shop.scans.latest(),
    shop.findings.counts(),
    shop.findings.list({ status: 'open', accepted: true, limit: 1000 }),
    shop.findings.list({ status: 'open', refuted: true, limit: 1000 }),
  ]);
  const before = latest && (await shop.scans.get(latest.id));
  const previous = (before?.inventory ?? null) as ScanInventory | null;
  return {
    previous,
    product: previous?.pages.find(({ kind }) => kind === 'product')?.path,
    openPlaces: byPlace.map(({ place }) => place),
    accepted: new Set(accepted.rows.map(({ fingerprint }) => fingerprint)),
    refuted: new Set(refuted.rows.map(({ fingerprint }) => fingerprint)),
    theme: latest?.theme?.id,
  };
}
