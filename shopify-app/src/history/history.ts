import { localizeFinding, type ScoreLine } from '@compliance/core/pixel';
import type { ObservedFinding, Scan, ScanSummary, Shop, TrendPoint } from '@compliance/store/shop';
import type { Translation } from '@compliance/translations';
import { latestCheckOf } from '../browser-check/browser-check.ts';
import { pageAt } from '../lib/paging.ts';
import type { FindingDetail, ScanCoverage } from '../scan/model/types.ts';
import { ruleTitleIn, translationFor } from '../translation/translation.ts';

/** Number of scans per list page, and number of data points in the chart. */
const PAGE_SIZE = 25;
const TREND = 60;

/** Maximum number of findings in each group on the scan page. The findings list shows all findings. */
const SHOWN = 25;

/** Content of the history page. Times are in milliseconds since the Unix epoch. */
export interface HistoryView {
  readonly timeZone: string;
  readonly rows: readonly (ScanSummary & { readonly changed: { new: number; fixed: number; regressed: number } })[];
  readonly next: string | null;
  readonly isFirstPage: boolean;
  readonly trend: readonly TrendPoint[];
}

/** Returns a page of the scan history. Returns the first page if the cursor is invalid. */
export async function historyOf(shop: Shop, cursor: string | null): Promise<HistoryView> {
  const [record, trend, page] = await Promise.all([
    shop.record(),
    shop.scans.trend(TREND),
    pageAt(cursor, cursor => shop.scans.list({ limit: PAGE_SIZE, cursor })),
  ]);
  return {
    timeZone: record?.timeZone ?? 'UTC',
    rows: page.rows.map(row => ({
      ...row,
      changed: {
        new: row.changes.new.length,
        fixed: row.changes.fixed.length,
        regressed: row.changes.regressed.length,
      },
    })),
    next: page.next,
    isFirstPage: cursor === null,
    trend,
  };
}

/** One-line summary of a finding in a scan. */
export interface ScanFinding {
  readonly fingerprint: string;
  readonly title: string;
  readonly severity: ObservedFinding['severity'];
  readonly message: string;
  /** Language of the message, which is English if the message isn't translated. */
  readonly messageLanguage: string;
}

/** Details of a scan and its differences from another scan. */
export interface ScanView {
  readonly timeZone: string;
  readonly scan: Omit<ScanSummary, 'changes'>;
  readonly coverage: ScanCoverage;
  readonly lines: readonly {
    readonly title: string | null;
    readonly count: number | null;
    readonly points: number;
    readonly kind: 'rule' | 'cap' | 'floor';
  }[];
  /** Scan to compare with, or null. */
  readonly against: Omit<ScanSummary, 'changes'> | null;
  readonly appeared: readonly ScanFinding[];
  /**
   * Findings that the other scan reported but this scan didn't. The findings list shows whether these findings are
   * fixed or weren't checked.
   */
  readonly missing: readonly ScanFinding[];
  readonly same: readonly ScanFinding[];
  /** Number of findings beyond the first `SHOWN` in each group. */
  readonly more: { readonly appeared: number; readonly missing: number; readonly same: number };
  /**
   * Latest browser check, or null if no check has run or this scan isn't the newest. Times are in milliseconds since
   * the Unix epoch.
   */
  readonly browser: {
    readonly at: number;
    readonly isPartial: boolean;
    readonly score: number | null;
    readonly refuted: number;
    readonly traffic: number;
  } | null;
  /** Scans available for comparison, newest first. */
  readonly others: readonly { readonly id: string; readonly finishedAt: number }[];
}

/**
 * Compares a scan with another scan, by default the previous complete scan. Returns null if the shop doesn't have the
 * requested scan.
 *
 * @param requested language of the request. The language in the shop's settings takes precedence.
 */
export async function scanViewOf(
  shop: Shop,
  id: string,
  againstId: string | null,
  requested: string | null = null,
): Promise<ScanView | null> {
  const [record, scan, others, { seen }] = await Promise.all([
    shop.record(),
    shop.scans.get(id),
    shop.scans.list({ limit: PAGE_SIZE }),
    latestCheckOf(shop),
  ]);
  if (!scan) return null;
  const against = againstId ? await shop.scans.get(againstId) : await shop.scans.latestComplete({ before: id });
  const translation = translationFor(record?.settings.locale ?? requested);
  const here = distinct(scan, translation);
  const there = against ? distinct(against, translation) : new Map<string, ScanFinding>();
  const appeared = against ? [...here.values()].filter(({ fingerprint }) => !there.has(fingerprint)) : [];
  const missing = [...there.values()].filter(({ fingerprint }) => !here.has(fingerprint));
  const same = [...here.values()].filter(({ fingerprint }) => !against || there.has(fingerprint));
  const beyond = (findings: readonly ScanFinding[]) => Math.max(0, findings.length - SHOWN);
  return {
    timeZone: record?.timeZone ?? 'UTC',
    scan: summaryOf(scan),
    coverage: scan.coverage as ScanCoverage,
    lines: (scan.breakdown as readonly ScoreLine[]).map(line => ({
      title: 'rule_id' in line ? ruleTitleIn(line.rule_id, translation) : 'cap' in line ? line.cap : null,
      count: 'count' in line ? line.count : null,
      points: line.points,
      kind: 'rule_id' in line ? 'rule' : 'cap' in line ? 'cap' : 'floor',
    })),
    against: against && summaryOf(against),
    appeared: appeared.slice(0, SHOWN),
    missing: missing.slice(0, SHOWN),
    same: same.slice(0, SHOWN),
    more: { appeared: beyond(appeared), missing: beyond(missing), same: beyond(same) },
    browser:
      seen && others.rows[0]?.id === id
        ? {
            ...{ at: seen.at, isPartial: seen.isPartial, score: seen.score },
            ...{ refuted: seen.verdicts.refuted, traffic: seen.traffic.length },
          }
        : null,
    others: others.rows.filter(other => other.id !== id).map(({ id, finishedAt }) => ({ id, finishedAt })),
  };
}

function summaryOf({ id, trigger, state, reason, startedAt, finishedAt, score, scoreVersion, counts, theme }: Scan) {
  return { id, trigger, state, reason, startedAt, finishedAt, score, scoreVersion, counts, theme };
}

/** Returns a scan's findings in the given language, one per fingerprint. */
function distinct({ findings }: Scan, translation: Translation): Map<string, ScanFinding> {
  return new Map(
    findings.map(({ fingerprint, ruleId, severity, detail }) => {
      const { message, message_language } = localizeFinding((detail as FindingDetail).finding, translation);
      const title = ruleTitleIn(ruleId, translation);
      return [fingerprint, { fingerprint, severity, title, message, messageLanguage: message_language }];
    }),
  );
}
