import { StoreError } from '../../errors.ts';
import { type Page, type PageQuery, pageRequest } from '../page.ts';
import type { ScanRow } from '../schema.ts';
import { type Scope, toJson } from '../scope.ts';
import { type ScanChanges, type SeenFinding, type SeverityCounts, settle } from './settle.ts';

/** What started a scan. */
export type ScanTrigger = ScanRow['trigger'];

/** `partial`: some of what should be read was not. `failed`: nothing can be said. */
export type ScanState = ScanRow['state'];

/** A scan that has ended. All but `findings` and `covered` are kept as they are; JSON fields hold any JSON value. */
export interface NewScan {
  /** 1 to 64 letters, digits, hyphens or underscores. Give the id of the job: a scan that was recorded already is not recorded twice. */
  readonly id: string;
  readonly trigger: ScanTrigger;
  readonly state: ScanState;
  /** A word for why it is not complete; null when it is. */
  readonly reason: string | null;
  /** ms since epoch. */
  readonly startedAt: number;
  /** 0 to 100, or null when there is none. */
  readonly score: number | null;
  readonly scoreVersion: number;
  /** The lines of the score. */
  readonly breakdown: unknown;
  readonly theme: { readonly id: string; readonly name: string } | null;
  /** What was read and what was not, for people. */
  readonly coverage: unknown;
  /** What was found to be there, the baseline for a comparison. */
  readonly inventory: unknown;
  readonly findings: readonly SeenFinding[];
  /**
   * Every place that was read in full this time, whether or not something was found there. A finding of earlier is only
   * taken for fixed when all places that it was seen in are among these: what was not read is unknown, never gone.
   */
  readonly covered: readonly string[];
}

/** A scan in the history. Times are ms since epoch. */
export interface ScanSummary {
  readonly id: string;
  readonly trigger: ScanTrigger;
  readonly state: ScanState;
  readonly reason: string | null;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly score: number | null;
  readonly scoreVersion: number;
  /** Findings of this scan, one for each fingerprint. */
  readonly counts: SeverityCounts;
  readonly theme: { readonly id: string; readonly name: string } | null;
  readonly changes: ScanChanges;
}

/** A scan with all that is kept of it. */
export interface Scan extends ScanSummary {
  readonly breakdown: unknown;
  readonly coverage: unknown;
  readonly inventory: unknown;
  readonly findings: readonly SeenFinding[];
  readonly covered: readonly string[];
}

/** One point of the trend. */
export type TrendPoint = Pick<ScanSummary, 'id' | 'finishedAt' | 'state' | 'score' | 'scoreVersion' | 'counts'>;

/** The scans of one shop. */
export interface OwnScans {
  /**
   * Keeps a scan that has ended now and settles the shop's findings by it, in one transaction. Ids are the shop's own: the
   * same one again gives the scan that is there, and changes nothing.
   *
   * @throws StoreError `scan_invalid`; `lease_lost` behind a fence
   * @example
   * const { changes } = await job.shop.scans.record({ id: job.id, trigger: 'schedule', state: 'complete', ... });
   */
  record(scan: NewScan): Promise<ScanSummary>;
  /** The shop's scan with this id, or null. */
  get(id: string): Promise<Scan | null>;
  /** Newest first. @throws StoreError `cursor_invalid` */
  list(query: PageQuery): Promise<Page<ScanSummary>>;
  /** The newest scan of any state, or null. */
  latest(): Promise<ScanSummary | null>;
  /** The newest complete scan, or the newest one before the scan with the id `before`: the baseline. Null when there is none. */
  latestComplete(query?: { readonly before?: string | undefined }): Promise<Scan | null>;
  /** The newest scans that have a score, at most `limit`, oldest first. */
  trend(limit: number): Promise<readonly TrendPoint[]>;
}

/** What the history shows; the large columns are left where they are. */
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

export function createOwnScans({ ledger, clock, newId, shop, write }: Scope): OwnScans {
  const select = () => ledger.selectFrom('shop_scans').where('shop', '=', shop);

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
        const { changes, counts } = await settle(trx, shop, now, findings, covered);
        const row = {
          ...{ shop, id, seq: newId('scn'), trigger, state, reason, score, score_version: scan.scoreVersion },
          ...{ started_at: scan.startedAt, finished_at: now },
          ...{ errors: counts.error, warns: counts.warn, infos: counts.info },
          theme: theme && toJson(theme),
          changes: toJson(changes),
          breakdown: toJson(scan.breakdown),
          coverage: toJson(scan.coverage),
          inventory: toJson(scan.inventory),
          findings: toJson(findings),
          covered: toJson(covered),
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

/** Places and fingerprints are in indexes, where PostgreSQL takes some 2,700 bytes at most. */
const LONGEST = 1000;

function refuseMisshapen({ id, findings, covered }: NewScan): void {
  if (!/^[\w-]{1,64}$/.test(id)) {
    throw new StoreError('scan_invalid', 'A scan has an id of 1 to 64 letters, digits, hyphens or underscores.');
  }
  const texts = [...covered, ...findings.flatMap(({ fingerprint, ruleId, place }) => [fingerprint, ruleId, place])];
  if (texts.some(text => text === '' || text.includes('\0') || Buffer.byteLength(text) > LONGEST)) {
    throw new StoreError(
      'scan_invalid',
      `Places, fingerprints and rule ids have 1 to ${LONGEST} bytes and no NUL. Cut what is longer.`,
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
