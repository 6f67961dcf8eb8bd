import { toJsonText } from '../../database/json.ts';
import { StoreError } from '../../errors.ts';
import { type Page, type PageQuery, pageRequest } from '../pagination.ts';
import type { ScanRow } from '../schema.ts';
import type { ShopScope } from '../scope.ts';
import {
  type ObservedFinding,
  reconcileFindings,
  type ScanChanges,
  type SeverityCounts,
} from './reconcile-findings.ts';
import { forgetVerdicts } from './renderings.ts';

/** Event that started a scan. */
export type ScanTrigger = ScanRow['trigger'];

/** State of a scan: `complete`, `partial` if some pages or files couldn't be read, or `failed` if it has no result. */
export type ScanState = ScanRow['state'];

/**
 * A finished scan to record. All fields are stored unchanged, except that the stored findings don't contain
 * `currentDetail`. JSON fields accept any JSON value.
 */
export interface NewScan {
  /** Scan ID: 1 to 64 letters, digits, hyphens, or underscores. Use the job ID so that a scan isn't recorded twice. */
  readonly id: string;
  readonly trigger: ScanTrigger;
  readonly state: ScanState;
  /** Reason code for an incomplete scan, or null for a complete scan. */
  readonly reason: string | null;
  /** Time when the scan started, in milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** Score from 0 to 100, or null if the scan doesn't have a score. */
  readonly score: number | null;
  readonly scoreVersion: number;
  /** Deductions that determine the score. */
  readonly breakdown: unknown;
  readonly theme: { readonly id: string; readonly name: string } | null;
  /** Scanned and unreadable pages and files, for display. */
  readonly coverage: unknown;
  /** Tags that the scan observed, for comparison with later scans. */
  readonly inventory: unknown;
  readonly findings: readonly ObservedFinding[];
  /**
   * Locations that the scan read in full, with or without findings. An earlier finding counts as fixed only after scans
   * have reread all of its locations without observing it there.
   */
  readonly covered: readonly string[];
}

/** A scan in a shop's history. Times are in milliseconds since the Unix epoch. */
export interface ScanSummary {
  readonly id: string;
  readonly trigger: ScanTrigger;
  readonly state: ScanState;
  readonly reason: string | null;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly score: number | null;
  readonly scoreVersion: number;
  /** Number of findings in this scan by severity, counting each fingerprint once. */
  readonly counts: SeverityCounts;
  readonly theme: { readonly id: string; readonly name: string } | null;
  readonly changes: ScanChanges;
}

/** A recorded scan with all its data. */
export interface Scan extends ScanSummary {
  readonly breakdown: unknown;
  readonly coverage: unknown;
  readonly inventory: unknown;
  readonly findings: readonly ObservedFinding[];
  readonly covered: readonly string[];
}

/** The score of a scan, as a point in the score trend. */
export type TrendPoint = Pick<ScanSummary, 'id' | 'finishedAt' | 'state' | 'score' | 'scoreVersion' | 'counts'>;

/** One shop's scans. */
export interface ShopScans {
  /**
   * Records a finished scan and updates the shop's findings in one transaction. Scan IDs are unique per shop. If the
   * shop already has a scan with this ID, returns the existing scan and changes nothing.
   *
   * @throws StoreError with `scan_invalid` or `shop_unknown`, or with `lease_lost` if called through a job whose lease
   * was lost
   * @example
   * const { changes } = await job.shop.scans.record({ id: job.id, trigger: 'schedule', state: 'complete', ... });
   */
  record(scan: NewScan): Promise<ScanSummary>;
  /** Returns the shop's scan with this ID, or null. */
  get(id: string): Promise<Scan | null>;
  /**
   * Lists scans, newest first.
   *
   * @throws StoreError with `cursor_invalid`
   */
  list(query: PageQuery): Promise<Page<ScanSummary>>;
  /** Returns the newest scan regardless of its state, or null. */
  latest(): Promise<ScanSummary | null>;
  /**
   * Returns the newest complete scan for comparison. If `before` is given, returns the newest complete scan before the
   * scan with that ID. Returns null if no such scan exists.
   */
  latestComplete(query?: { readonly before?: string | undefined }): Promise<Scan | null>;
  /** Returns the newest `limit` scans that have a score, oldest first. */
  trend(limit: number): Promise<readonly TrendPoint[]>;
}

/** Columns for the scan history, without the large columns. */
const SUMMARY = [
  'id',
  'seq',
  'trigger',
  'state',
  'reason',
  'started_at',
  'finished_at',
  'score',
  'score_version',
  'errors',
  'warns',
  'infos',
  'theme',
  'changes',
] as const;

export function createShopScans({ durable, clock, newId, shop, write }: ShopScope): ShopScans {
  const select = () => durable.selectFrom('shop_scans').where('shop', '=', shop);

  return {
    async record(scan) {
      refuseMisshapen(scan);
      const { findings, covered, id, trigger, state, reason, score, theme } = scan;
      return await write(async trx => {
        const known = await trx
          .selectFrom('shop_scans')
          .select(SUMMARY)
          .where('shop', '=', shop)
          .where('id', '=', id)
          .executeTakeFirst();
        if (known) return toSummary(known);

        const now = clock();
        const before = await trx
          .selectFrom('shop_scans')
          .select('theme')
          .where('shop', '=', shop)
          .where('theme', 'is not', null)
          .orderBy('seq', 'desc')
          .limit(1)
          .executeTakeFirst();
        // The verdicts apply only to the theme that the browser saw.
        if (theme && before?.theme && JSON.parse(before.theme).id !== theme.id) await forgetVerdicts(trx, shop);
        const { changes, counts } = await reconcileFindings(trx, shop, now, findings, covered);
        const row = {
          ...{ shop, id, seq: newId('scn'), trigger, state, reason, score, score_version: scan.scoreVersion },
          ...{ started_at: scan.startedAt, finished_at: now },
          ...{ errors: counts.error, warns: counts.warn, infos: counts.info },
          theme: theme && toJsonText(theme),
          changes: toJsonText(changes),
          breakdown: toJsonText(scan.breakdown),
          coverage: toJsonText(scan.coverage),
          inventory: toJsonText(scan.inventory),
          findings: toJsonText(findings.map(({ currentDetail: _, ...finding }) => finding)),
          covered: toJsonText(covered),
        };
        await trx.insertInto('shop_scans').values(row).execute();
        return toSummary(row);
      });
    },

    async get(id) {
      const row = await select().selectAll().where('id', '=', id).executeTakeFirst();
      return row ? toScan(row) : null;
    },

    async list(query) {
      const { limit, after, page } = pageRequest<[string]>(query, ['']);
      const rows = await select()
        .select(SUMMARY)
        .$if(after !== null, found => found.where('seq', '<', after?.[0] ?? ''))
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute();
      return page(rows, ({ seq }) => [seq], toSummary);
    },

    async latest() {
      const row = await select().select(SUMMARY).orderBy('seq', 'desc').limit(1).executeTakeFirst();
      return row ? toSummary(row) : null;
    },

    async latestComplete({ before } = {}) {
      const row = await select()
        .selectAll()
        .where('state', '=', 'complete')
        .$if(before !== undefined, found =>
          found.where(
            'seq',
            '<',
            select()
              .select('seq')
              .where('id', '=', before ?? ''),
          ),
        )
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row ? toScan(row) : null;
    },

    async trend(limit) {
      const rows = await select()
        .select(SUMMARY)
        .where('score', 'is not', null)
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute();
      return rows.reverse().map(toSummary).map(toPoint);
    },
  };
}

/**
 * Maximum size of a location, rule ID, or fingerprint in bytes. These columns are indexed, and PostgreSQL limits index
 * entries to about 2,700 bytes.
 */
const LONGEST = 1000;

function refuseMisshapen({ id, findings, covered }: NewScan): void {
  if (!/^[\w-]{1,64}$/.test(id)) {
    throw new StoreError('scan_invalid', 'A scan ID must consist of 1 to 64 letters, digits, hyphens, or underscores.');
  }
  const texts = [...covered, ...findings.flatMap(({ fingerprint, ruleId, place }) => [fingerprint, ruleId, place])];
  if (texts.some(text => text === '' || text.includes('\0') || Buffer.byteLength(text) > LONGEST)) {
    throw new StoreError(
      'scan_invalid',
      `Locations, fingerprints, and rule IDs must be 1 to ${LONGEST} bytes long and must not contain NUL.`,
    );
  }
}

function toSummary(row: Pick<ScanRow, (typeof SUMMARY)[number]>): ScanSummary {
  return {
    id: row.id,
    trigger: row.trigger,
    state: row.state,
    reason: row.reason,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    score: row.score,
    scoreVersion: row.score_version,
    counts: { error: row.errors, warn: row.warns, info: row.infos },
    theme: row.theme && JSON.parse(row.theme),
    changes: JSON.parse(row.changes),
  };
}

function toScan(row: ScanRow): Scan {
  return {
    ...toSummary(row),
    breakdown: JSON.parse(row.breakdown),
    coverage: JSON.parse(row.coverage),
    inventory: JSON.parse(row.inventory),
    findings: JSON.parse(row.findings),
    covered: JSON.parse(row.covered),
  };
}

function toPoint({ id, finishedAt, state, score, scoreVersion, counts }: ScanSummary): TrendPoint {
  return { id, finishedAt, state, score, scoreVersion, counts };
}
