import type { ScoreLine } from '@compliance/core/pixel';
import type { FindingSeverity, Job, KnownFinding, Scan, ScanSummary, Shop } from '@compliance/store';
import { ANSWERED } from '../catalog/answer.ts';
import { titleOf } from '../findings/findings.ts';
import { SCAN } from '../scan/scan-job.ts';
import type { FindingDetail, ScanCoverage, ScanProgress } from '../scan/types.ts';

/** How old a scan may be before Home says so, by schedule; without a schedule a month. */
const STALE_MS = { daily: 2 * 86_400_000, weekly: 9 * 86_400_000, off: 31 * 86_400_000 } as const;

/** The setting of a shop that says that its merchant has put the set-up guide away. */
const GUIDE_DISMISSED = 'guideDismissed';

/** How many things Home asks a merchant to do first. */
const FIRST_THINGS = 5;

/** What keeps a merchant from trusting what they see, gravest first. */
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

/** A step of the set-up guide. */
type Step = 'scan' | 'catalog' | 'certificate' | 'schedule';

/** A scan that waits or runs. */
export interface LiveScan {
  readonly id: string;
  readonly queued: boolean;
  readonly progress: ScanProgress | null;
}

/** What Home shows. Times are ms since epoch. */
export interface HomeView {
  readonly timeZone: string;
  readonly now: number;
  readonly live: LiveScan | null;
  readonly notices: readonly Notice[];
  readonly verdict: {
    /** `none`: never scanned. `unknown`: nothing needs the merchant, but the last scan could not judge. */
    readonly kind: 'none' | 'unknown' | 'clear' | 'attention' | 'urgent';
    /** Open findings that nobody accepted, without remarks; of these, errors. */
    readonly needs: number;
    readonly urgent: number;
    readonly at: number | null;
    readonly theme: string | null;
  };
  readonly score: {
    readonly value: number | null;
    readonly before: number | null;
    /** What moved it, by points, most first; positive gained. */
    readonly moved: readonly {
      readonly ruleId: string | null;
      readonly title: string | null;
      readonly points: number;
    }[];
  };
  readonly findings: { readonly open: number; readonly since: number | null };
  readonly catalog: { readonly total: number; readonly decided: number; readonly onList: number };
  readonly certificates: { readonly issued: number; readonly draft: number; readonly without: number };
  /** The set-up guide; empty once the merchant has put it away. */
  readonly setup: readonly { readonly step: Step; readonly done: boolean }[];
  readonly first: readonly FirstThing[];
  /** What was read, when there was nothing to find. */
  readonly checked: { readonly pages: number; readonly files: number } | null;
}

/** One of the things to do first. */
interface FirstThing {
  readonly fingerprint: string;
  readonly severity: FindingSeverity;
  readonly title: string;
  /** The file, or the page; null where only the shop is known. */
  readonly place: string | null;
  readonly regressed: boolean;
}

/**
 * Everything on Home, from what is stored alone.
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
    shop.findings.list({ status: 'open', accepted: false, limit: FIRST_THINGS }),
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
      moved: scan && before ? movedBetween(before, scan) : [],
    },
    findings: {
      open: counts.open - counts.accepted,
      since: before && latest ? total(latest) - total(before) : null,
    },
    catalog: {
      total: variants.total,
      decided: ANSWERED.reduce((sum, word) => sum + (variants.byStatus[word] ?? 0), 0),
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
    first: first.rows.filter(({ severity }) => severity !== 'info').map(toFirstThing),
    checked: coverage && {
      pages: coverage.pages.filter(({ state }) => state === 'read' || state === 'cut').length,
      files: coverage.theme.filesRead,
    },
  };
}

/** Puts the set-up guide away, for everybody of the shop. @throws StoreError `shop_unknown` */
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

/** A scan under way, as a page follows it; null when none is. */
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
  // While the token is still gone, that says it all.
  else if (job?.error === 'revoked') notices.push(...(needsReopening ? [] : (['interrupted'] as const)));
  else if (job?.state === 'failed') notices.push('failed');
  if (latest?.reason === 'password') notices.push('password');
  else if (latest?.reason === 'no_scope') notices.push('no_scope');
  // Without the home page there is no score, whatever else was read.
  else if (latest?.score === null && latest.reason !== 'revoked' && latest.reason !== 'frozen')
    notices.push('not_reached');
  else if (latest?.state === 'partial') notices.push('partial');
  if (latest && now - latest.finishedAt > STALE_MS[schedule] && !liveOf(job)) notices.push('stale');
  return notices;
}

/** The difference of two scores by rule; caps and the floor together under no rule. */
function movedBetween(before: Scan, after: Scan): HomeView['score']['moved'] {
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
    .map(([ruleId, moved]) => ({ ruleId, title: ruleId && titleOf(ruleId), points: moved }));
}

const total = ({ counts }: Pick<ScanSummary, 'counts'>): number => counts.error + counts.warn + counts.info;

function toFirstThing({ fingerprint, severity, ruleId, detail, regressedAt }: KnownFinding): FirstThing {
  const { files, pages } = detail as FindingDetail;
  return {
    fingerprint,
    severity,
    title: titleOf(ruleId),
    place: files[0]?.name ?? pages[0] ?? null,
    regressed: regressedAt !== null,
  };
}
