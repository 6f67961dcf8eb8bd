import type { ScoreLine } from '@compliance/core/pixel';
import type { FindingSeverity, Job, Scan, ScanSummary, Shop, StoredFinding } from '@compliance/store/shop';
import { CLASSIFIED_STATUSES } from '../catalog/model/classify.ts';
import { ruleTitleOf } from '../findings/findings.ts';
import type { FindingDetail, ScanCoverage, ScanProgress } from '../scan/model/types.ts';
import { SCAN } from '../scan/scan-job.ts';

/** Maximum age of a scan before Home reports it as outdated, by schedule. Without a schedule, the age is one month. */
const STALE_MS = { daily: 2 * 86_400_000, weekly: 9 * 86_400_000, off: 31 * 86_400_000 } as const;

/** Shop setting that records whether the merchant dismissed the setup guide. */
const GUIDE_DISMISSED = 'guideDismissed';

/** Maximum number of issues under "Fix first". */
const MAX_TOP_ISSUES = 5;

/** Problems that make the results unreliable, most severe first. */
export type Notice =
  | 'needs_reopening'
  | 'frozen'
  | 'failed'
  | 'interrupted'
  | 'throttled'
  | 'password'
  | 'not_reached'
  | 'no_scope'
  | 'partial'
  | 'stale';

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
     * Overall status. `none` means that the store has never been scanned. `unknown` means that no issue needs attention
     * but the last scan has no score.
     */
    readonly kind: 'none' | 'unknown' | 'clear' | 'attention' | 'urgent';
    /** Number of open errors and warnings that the merchant hasn't accepted. `urgent` counts only the errors. */
    readonly needs: number;
    readonly urgent: number;
    readonly at: number | null;
    readonly theme: string | null;
  };
  readonly score: {
    readonly value: number | null;
    readonly before: number | null;
    /** Score changes in points, largest first. Positive values mean a higher score. */
    readonly moved: readonly {
      readonly ruleId: string | null;
      readonly title: string | null;
      readonly points: number;
    }[];
  };
  readonly findings: { readonly open: number; readonly since: number | null };
  readonly catalog: { readonly total: number; readonly decided: number; readonly onList: number };
  readonly certificates: { readonly issued: number; readonly draft: number; readonly without: number };
  /** Setup guide steps. The list is empty after the merchant dismisses the guide. */
  readonly setup: readonly { readonly step: Step; readonly done: boolean }[];
  readonly first: readonly TopIssue[];
  /** Number of pages and files in the last scan, shown for a store without findings. */
  readonly checked: { readonly pages: number; readonly files: number } | null;
}

/** Issue under "Fix first". */
interface TopIssue {
  readonly fingerprint: string;
  readonly severity: FindingSeverity;
  readonly title: string;
  /** File or page with the issue, or null if neither is known. */
  readonly place: string | null;
  readonly regressed: boolean;
}

/**
 * Returns the Home page content, using only stored data.
 *
 * @example
 * const view = await homeOf(merchant.shop, Date.now());
 */
export async function homeOf(shop: Shop, now: number): Promise<HomeView> {
  const [record, job, latest, counts, first, variants, certificates] = await Promise.all([
    shop.record(),
    shop.jobs.latest(SCAN),
    shop.scans.latest(),
    shop.findings.counts(),
    shop.findings.list({ status: 'open', accepted: false, limit: MAX_TOP_ISSUES }),
    shop.variants.counts(),
    shop.productCertificates.counts(),
  ]);
  const scan = latest && (await shop.scans.get(latest.id));
  const before = latest ? await shop.scans.latestComplete({ before: latest.id }) : null;
  const { error: urgent, warn } = counts.bySeverity;
  const needs = urgent + warn;
  const coverage = scan ? (scan.coverage as ScanCoverage) : null;

  return {
    timeZone: record?.timeZone ?? 'UTC',
    now,
    live: liveOf(job),
    notices: noticesOf({
      job,
      latest,
      needsReopening: record?.needsReopeningAt != null,
      schedule: record?.settings.schedule ?? 'off',
      now,
    }),
    verdict: {
      kind: kindOf({ latest, needs, urgent }),
      needs,
      urgent,
      at: latest?.finishedAt ?? null,
      theme: latest?.theme?.name ?? null,
    },
    score: {
      value: latest?.score ?? null,
      before: before && before.scoreVersion === latest?.scoreVersion ? before.score : null,
      moved: scan && before ? scoreChanges(before, scan) : [],
    },
    findings: {
      open: counts.open - counts.accepted,
      since: before && latest ? total(latest) - total(before) : null,
    },
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
    first: first.rows.filter(({ severity }) => severity !== 'info').map(toTopIssue),
    checked: coverage && {
      pages: coverage.pages.filter(({ state }) => state === 'read' || state === 'cut').length,
      files: coverage.theme.filesRead,
    },
  };
}

/**
 * Dismisses the setup guide for all staff of the shop.
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
}: {
  readonly latest: ScanSummary | null;
  readonly needs: number;
  readonly urgent: number;
}): HomeView['verdict']['kind'] {
  if (!latest) return 'none';
  if (urgent > 0) return 'urgent';
  if (needs > 0) return 'attention';
  return latest.score === null ? 'unknown' : 'clear';
}

/** Returns the queued or running scan, or null. */
function liveOf(job: Job | null): LiveScan | null {
  if (!job || (job.state !== 'queued' && job.state !== 'running')) return null;
  return { id: job.id, queued: job.state === 'queued', progress: job.progress as ScanProgress | null };
}

function noticesOf({
  job,
  latest,
  needsReopening,
  schedule,
  now,
}: {
  readonly job: Job | null;
  readonly latest: ScanSummary | null;
  readonly needsReopening: boolean;
  readonly schedule: keyof typeof STALE_MS;
  readonly now: number;
}): Notice[] {
  const notices: Notice[] = [];
  if (needsReopening) notices.push('needs_reopening');
  if (job?.error === 'frozen') notices.push('frozen');
  else if (job?.error === 'throttled') notices.push('throttled');
  // If the merchant must reopen the app, the page doesn't show a notice about the interrupted scan.
  else if (job?.error === 'revoked') notices.push(...(needsReopening ? [] : (['interrupted'] as const)));
  else if (job?.state === 'failed') notices.push('failed');
  if (latest?.reason === 'password') notices.push('password');
  else if (latest?.reason === 'no_scope') notices.push('no_scope');
  // A scan without the home page has no score, even if other pages were read.
  else if (latest?.score === null && latest.reason !== 'revoked' && latest.reason !== 'frozen')
    notices.push('not_reached');
  else if (latest?.state === 'partial') notices.push('partial');
  if (latest && now - latest.finishedAt > STALE_MS[schedule] && !liveOf(job)) notices.push('stale');
  return notices;
}

/**
 * Breaks down the difference between two scores by rule. One entry, without a rule ID, combines the effects of the score
 * caps and the score floor.
 */
function scoreChanges(before: Scan, after: Scan): HomeView['score']['moved'] {
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
    .map(([ruleId, moved]) => ({ ruleId, title: ruleId && ruleTitleOf(ruleId), points: moved }));
}

const total = ({ counts }: Pick<ScanSummary, 'counts'>): number => counts.error + counts.warn + counts.info;

function toTopIssue({ fingerprint, severity, ruleId, detail, regressedAt }: StoredFinding): TopIssue {
  const { files, pages } = detail as FindingDetail;
  return {
    fingerprint,
    severity,
    title: ruleTitleOf(ruleId),
    place: files[0]?.name ?? pages[0] ?? null,
    regressed: regressedAt !== null,
  };
}
