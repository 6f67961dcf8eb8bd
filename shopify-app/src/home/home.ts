import type { ScoreLine } from '@compliance/core/pixel';
import { type Dataset, easternDate } from '@compliance/core/tariff';
import type { Job, Scan, ScanSummary, Shop } from '@compliance/store/shop';
import type { Translation } from '@compliance/translations';
import { type Billing, isPaused } from '../billing/plan.ts';
import { isUnseen, latestCheckOf } from '../browser-check/browser-check.ts';
import type { CatalogOutcome } from '../catalog/catalog-job.ts';
import { CLASSIFIED_STATUSES, tariffLists } from '../catalog/model/classify.ts';
import { CATALOG } from '../catalog/model/job-types.ts';
import { remindUntil } from '../certificates/retests.ts';
import type { ScanCoverage, ScanProgress } from '../scan/model/types.ts';
import { SCAN } from '../scan/scan-job.ts';
import { ruleTitleIn, translationFor } from '../translation/translation.ts';
import { type InboxItem, inboxOf, MAX_FINDINGS } from './inbox.ts';

/**
 * Maximum age of a scan before Home reports it as outdated, by schedule. Without a schedule, the maximum age is 31
 * days.
 */
const STALE_MS = { daily: 2 * 86_400_000, weekly: 9 * 86_400_000, off: 31 * 86_400_000 } as const;

/** Shop setting that records whether the merchant dismissed the setup guide. */
const GUIDE_DISMISSED = 'guideDismissed';

/** Problems that make the results unreliable, most severe first. */
export type Notice =
  | 'needs_reopening'
  | 'no_plan'
  | 'frozen'
  | 'failed'
  | 'interrupted'
  | 'throttled'
  | 'password'
  | 'not_reached'
  | 'no_scope'
  | 'partial'
  | 'stale';

/**
 * Types of missing information about the store. While any information is missing, the absence of issues isn't an
 * all-clear. `unscanned` means that the store has never been scanned. `storefront` means that the last scan has no
 * score. `scan` means that the last scan was incomplete or is outdated. `catalog` means that the catalog was never
 * synced. `sync` means that the last sync failed or was incomplete. `recheck` means that some results are based on
 * older tariff lists. `duties` means that the duty on some covered variants is unknown. `certificates` means that the
 * app hasn't checked some certificates yet. `browser` means that browser checks are on but none has read the storefront
 * recently. `lists` means that tariff changes after `HomeView.knownThrough` are missing.
 */
const UNKNOWNS = [
  ...(['unscanned', 'storefront', 'scan', 'browser', 'catalog', 'sync', 'recheck', 'duties', 'certificates'] as const),
  'lists' as const,
];
type Unknown = (typeof UNKNOWNS)[number];

/** Setup guide step. */
type Step = 'scan' | 'catalog' | 'certificate' | 'schedule';

/** Queued or running scan. */
export interface LiveScan {
  readonly id: string;
  readonly queued: boolean;
  readonly progress: ScanProgress | null;
}

/** Content of the Home page. Times are in milliseconds since the Unix epoch. */
export interface HomeView {
  readonly timeZone: string;
  readonly now: number;
  readonly live: LiveScan | null;
  readonly notices: readonly Notice[];
  readonly verdict: {
    /**
     * Overall status. `none` means that the store has never been scanned. `review` means that nothing is wrong, but
     * the inbox isn't empty. `unknown` means that the inbox is empty, but information is missing, as listed in
     * `verdict.unknown`.
     */
    readonly kind: 'none' | 'unknown' | 'clear' | 'review' | 'attention' | 'urgent';
    /**
     * Number of open errors and warnings that the merchant hasn't accepted and that no browser check has refuted, plus
     * the number of inbox tasks whose urgency isn't `review`. `urgent` counts only the errors.
     */
    readonly needs: number;
    readonly urgent: number;
    readonly at: number | null;
    readonly theme: string | null;
    readonly unknown: readonly Unknown[];
  };
  /** Last day that the app's tariff lists cover (YYYY-MM-DD). */
  readonly knownThrough: string;
  readonly score: {
    readonly value: number | null;
    readonly before: number | null;
    /** Score changes in points, largest first. Positive values mean a higher score. */
    readonly moved: readonly {
      readonly ruleId: string | null;
      readonly title: string | null;
      readonly points: number;
    }[];
    /** Score of the latest browser check, or null if there's none. */
    readonly browser: { readonly score: number; readonly at: number } | null;
  };
  readonly findings: { readonly open: number; readonly since: number | null };
  /** Number of open findings that don't count because a browser check refuted them. */
  readonly refuted: number;
  readonly catalog: { readonly total: number; readonly decided: number; readonly onList: number };
  readonly certificates: { readonly issued: number; readonly draft: number; readonly without: number };
  /** Setup guide steps. The list is empty after the merchant dismisses the guide. */
  readonly setup: readonly { readonly step: Step; readonly done: boolean }[];
  /** Items that need attention, most urgent first, including no more than `MAX_FINDINGS` findings. */
  readonly inbox: readonly InboxItem[];
  /** Number of open findings that aren't in the inbox, excluding informational findings. */
  readonly moreFindings: number;
  /** Number of pages and files in the last scan, shown for a store without findings. */
  readonly checked: { readonly pages: number; readonly files: number } | null;
}

/**
 * Returns the Home page content, using only stored data.
 *
 * @param requested language of the request. The language in the shop's settings takes precedence.
 * @param billing billing settings, or null if billing is off
 * @example
 * const view = await homeOf(merchant.shop, Date.now(), merchant.dataset());
 */
export async function homeOf(
  shop: Shop,
  now: number,
  dataset: Dataset,
  requested: string | null = null,
  billing: Billing | null = null,
): Promise<HomeView> {
  const today = easternDate(now);
  const { version, knownThrough } = tariffLists(today, dataset);
  const [record, job, latest, counts, first, variants, changed, certificates, certificateNeeds, sync, check] =
    await Promise.all([
      shop.record(),
      shop.jobs.latest(SCAN),
      shop.scans.latest(),
      shop.findings.counts(),
      shop.findings.list({ status: 'open', accepted: false, refuted: false, limit: MAX_FINDINGS }),
      shop.variants.counts(),
      shop.variants.list({ changedBy: version, limit: 1 }),
      shop.productCertificates.counts(),
      shop.productCertificates.needs({ retestBy: remindUntil(now) }),
      shop.jobs.latest(CATALOG),
      latestCheckOf(shop),
    ]);
  const scan = latest && (await shop.scans.get(latest.id));
  const before = latest ? await shop.scans.latestComplete({ before: latest.id }) : null;
  const { error: urgent, warn } = counts.bySeverity;
  const translation = translationFor(record?.settings.locale ?? requested);
  const inbox = inboxOf({
    findings: first.rows,
    variants,
    hasChanged: changed.rows.length > 0,
    traffic: check.seen?.traffic.filter(({ severity }) => severity === 'warn').length ?? 0,
    certificates,
    needs: certificateNeeds,
    translation,
  });
  const needs = urgent + warn + inbox.filter(({ kind, urgency }) => kind === 'task' && urgency !== 'review').length;
  const notices = noticesOf({
    job,
    latest,
    needsReopening: record?.needsReopeningAt != null,
    paused: isPaused(record, billing),
    schedule: record?.settings.schedule ?? 'off',
    now,
  });
  const isUnknown: Readonly<Record<Unknown, boolean>> = {
    unscanned: latest === null,
    storefront: latest?.score === null,
    scan: typeof latest?.score === 'number' && (latest.state !== 'complete' || notices.includes('stale')),
    browser: isUnseen(record, check, now),
    catalog: variants.total === 0,
    sync: sync?.state === 'failed' || (sync?.result as CatalogOutcome | null)?.state === 'partial',
    recheck: Object.keys(variants.byListVersion).some(known => known !== version),
    duties: inbox.some(item => item.kind === 'task' && (item.duty?.unknown ?? 0) > 0),
    certificates: certificateNeeds.unchecked > 0,
    lists: today > knownThrough,
  };
  const unknown = UNKNOWNS.filter(area => isUnknown[area]);
  const coverage = scan ? (scan.coverage as ScanCoverage) : null;

  return {
    timeZone: record?.timeZone ?? 'UTC',
    now,
    live: liveOf(job),
    notices,
    verdict: {
      kind: kindOf({ latest, needs, urgent, reviews: inbox.length, unknown: unknown.length }),
      needs,
      urgent,
      at: latest?.finishedAt ?? null,
      theme: latest?.theme?.name ?? null,
      unknown,
    },
    knownThrough,
    score: {
      value: latest?.score ?? null,
      before: before && before.scoreVersion === latest?.scoreVersion ? before.score : null,
      moved: scan && before ? scoreChanges(before, scan, translation) : [],
      browser: check.seen?.score != null ? { score: check.seen.score, at: check.seen.at } : null,
    },
    findings: {
      open: counts.open - counts.accepted - counts.refuted,
      since: before && latest ? total(latest) - total(before) : null,
    },
    refuted: counts.refuted,
    catalog: {
      total: variants.total,
      decided: CLASSIFIED_STATUSES.reduce((sum, word) => sum + (variants.byStatus[word] ?? 0), 0),
      onList: variants.byStatus.hit ?? 0,
    },
    certificates: { issued: certificates.issued, draft: certificates.draft, without: certificates.none },
    setup: record?.settings[GUIDE_DISMISSED]
      ? []
      : [
          { step: 'scan', done: latest !== null },
          { step: 'catalog', done: variants.total > 0 },
          { step: 'certificate', done: certificates.issued + certificates.voided > 0 },
          { step: 'schedule', done: (record?.settings.schedule ?? 'off') !== 'off' },
        ],
    inbox,
    moreFindings: urgent + warn - inbox.filter(({ kind }) => kind === 'finding').length,
    checked: coverage && {
      pages: coverage.pages.filter(({ state }) => state === 'read' || state === 'cut').length,
      files: coverage.theme.filesRead,
    },
  };
}

/**
 * Dismisses the setup guide for all of the shop's staff.
 *
 * @throws StoreError `shop_unknown` if the database has no record of the shop
 */
export async function dismissGuide(shop: Shop): Promise<void> {
  await shop.setSettings({ [GUIDE_DISMISSED]: true });
}

function kindOf({
  latest,
  needs,
  urgent,
  reviews,
  unknown,
}: {
  readonly latest: ScanSummary | null;
  readonly needs: number;
  readonly urgent: number;
  readonly reviews: number;
  readonly unknown: number;
}): HomeView['verdict']['kind'] {
  if (urgent > 0) return 'urgent';
  if (needs > 0) return 'attention';
  if (!latest) return 'none';
  if (reviews > 0) return 'review';
  return unknown > 0 ? 'unknown' : 'clear';
}

/** Returns a queued or running scan's progress, or null if no scan is queued or running. */
function liveOf(job: Job | null): LiveScan | null {
  if (!job || (job.state !== 'queued' && job.state !== 'running')) return null;
  return { id: job.id, queued: job.state === 'queued', progress: job.progress as ScanProgress | null };
}

function noticesOf({
  job,
  latest,
  needsReopening,
  paused,
  schedule,
  now,
}: {
  readonly job: Job | null;
  readonly latest: ScanSummary | null;
  readonly needsReopening: boolean;
  readonly paused: boolean;
  readonly schedule: keyof typeof STALE_MS;
  readonly now: number;
}): Notice[] {
  const notices: Notice[] = [];
  if (needsReopening) notices.push('needs_reopening');
  if (paused) notices.push('no_plan');
  if (job?.error === 'frozen') notices.push('frozen');
  else if (job?.error === 'throttled') notices.push('throttled');
  // If the merchant must reopen the app, the page doesn't show a notice about the interrupted scan.
  else if (job?.error === 'revoked') notices.push(...(needsReopening ? [] : (['interrupted'] as const)));
  else if (job?.state === 'failed') notices.push('failed');
  if (latest?.reason === 'password') notices.push('password');
  else if (latest?.reason === 'no_scope') notices.push('no_scope');
  // A scan without the storefront's home page has no score, even if other pages were read.
  else if (latest?.score === null && latest.reason !== 'revoked' && latest.reason !== 'frozen')
    notices.push('not_reached');
  else if (latest?.state === 'partial') notices.push('partial');
  if (latest && now - latest.finishedAt > STALE_MS[schedule] && !liveOf(job)) notices.push('stale');
  return notices;
}

/**
 * Breaks down the score change between two scans by rule. One entry, without a rule ID, combines the effects of the
 * score caps and the score floor.
 */
function scoreChanges(before: Scan, after: Scan, translation: Translation): HomeView['score']['moved'] {
  if (before.scoreVersion !== after.scoreVersion || before.score === null || after.score === null) return [];
  const points = new Map<string | null, number>();
  const add = (lines: unknown, sign: 1 | -1) => {
    for (const line of lines as readonly ScoreLine[]) {
      const rule = 'rule_id' in line ? line.rule_id : null;
      points.set(rule, (points.get(rule) ?? 0) + sign * line.points);
    }
  };
  add(before.breakdown, 1);
  add(after.breakdown, -1);
  return [...points]
    .filter(([, moved]) => moved !== 0)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(([ruleId, moved]) => ({ ruleId, title: ruleId && ruleTitleIn(ruleId, translation), points: moved }));
}

const total = ({ counts }: Pick<ScanSummary, 'counts'>): number => counts.error + counts.warn + counts.info;
