import type { ScoreLine } from '@compliance/core/pixel';
import type { Scan, ScanSummary, SeenFinding, Shop, TrendPoint } from '@compliance/store';
import { titleOf } from '../findings/findings.ts';
import { pageAt } from '../paging.ts';
import type { FindingDetail, ScanCoverage } from '../scan/types.ts';

/** Scans on a page of the list, and points of the chart. */
const PAGE_SIZE = 25;
const TREND = 60;

/** Findings of a kind on the page of a scan. The list of findings has them all. */
const SHOWN = 25;

/** What the history shows. Times are ms since epoch. */
export interface HistoryView {
  readonly timeZone: string;
  readonly rows: readonly (ScanSummary & { readonly changed: { new: number; fixed: number; regressed: number } })[];
  readonly next: string | null;
  readonly isFirstPage: boolean;
  readonly trend: readonly TrendPoint[];
}

/** A page of the history. A cursor that leads nowhere gives the first page. */
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

/** A finding of a scan, in a line. */
export interface ScanFinding {
  readonly fingerprint: string;
  readonly title: string;
  readonly severity: SeenFinding['severity'];
  readonly message: string;
}

/** One scan, and how it differs from another. */
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
  /** The scan that it is compared with; null when there is none. */
  readonly against: Omit<ScanSummary, 'changes'> | null;
  readonly appeared: readonly ScanFinding[];
  /** Not seen in this scan. Whether they are gone or were not looked for is for the list of findings to say. */
  readonly missing: readonly ScanFinding[];
  readonly same: readonly ScanFinding[];
  /** How many there are of each beyond the first `SHOWN`. */
  readonly more: { readonly appeared: number; readonly missing: number; readonly same: number };
  /** Scans that it can be compared with, newest first. */
  readonly others: readonly { readonly id: string; readonly finishedAt: number }[];
}

/** A scan beside another one, the complete scan before it when none is named. Null when the shop has no such scan. */
export async function scanViewOf(shop: Shop, id: string, againstId: string | null): Promise<ScanView | null> {
  const [record, scan, others] = await Promise.all([
    shop.record(),
    shop.scans.get(id),
    shop.scans.list({ limit: PAGE_SIZE }),
  ]);
  if (!scan) return null;
  const against = againstId ? await shop.scans.get(againstId) : await shop.scans.latestComplete({ before: id });
  const [here, there] = [distinct(scan), against ? distinct(against) : new Map<string, ScanFinding>()];
  const appeared = against ? [...here.values()].filter(({ fingerprint }) => !there.has(fingerprint)) : [];
  const missing = [...there.values()].filter(({ fingerprint }) => !here.has(fingerprint));
  const same = [...here.values()].filter(({ fingerprint }) => !against || there.has(fingerprint));
  const beyond = (findings: readonly ScanFinding[]) => Math.max(0, findings.length - SHOWN);
  return {
    timeZone: record?.timeZone ?? 'UTC',
    scan: summaryOf(scan),
    coverage: scan.coverage as ScanCoverage,
    lines: (scan.breakdown as readonly ScoreLine[]).map(line => ({
      title: 'rule_id' in line ? titleOf(line.rule_id) : 'cap' in line ? line.cap : null,
      count: 'count' in line ? line.count : null,
      points: line.points,
      kind: 'rule_id' in line ? 'rule' : 'cap' in line ? 'cap' : 'floor',
    })),
    against: against && summaryOf(against),
    appeared: appeared.slice(0, SHOWN),
    missing: missing.slice(0, SHOWN),
    same: same.slice(0, SHOWN),
    more: { appeared: beyond(appeared), missing: beyond(missing), same: beyond(same) },
    others: others.rows.filter(other => other.id !== id).map(({ id, finishedAt }) => ({ id, finishedAt })),
  };
}

function summaryOf({ id, trigger, state, reason, startedAt, finishedAt, score, scoreVersion, counts, theme }: Scan) {
  return { id, trigger, state, reason, startedAt, finishedAt, score, scoreVersion, counts, theme };
}

/** The findings of a scan, one for each fingerprint, whatever places it was seen in. */
function distinct({ findings }: Scan): Map<string, ScanFinding> {
  return new Map(
    findings.map(({ fingerprint, ruleId, severity, detail }) => [
      fingerprint,
      { fingerprint, severity, title: titleOf(ruleId), message: (detail as FindingDetail).finding.message },
    ]),
  );
}
