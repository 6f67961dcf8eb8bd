import { sql } from 'kysely';
import { chunks, padIds } from '../../database/chunks.ts';
import { type Page, type PageQuery, pageRequest } from '../pagination.ts';

import type { FindingRow } from '../schema.ts';
import { type ShopScope, stripNul } from '../scope.ts';
import type { FindingSeverity, SeverityCounts } from './reconcile-findings.ts';
import type { FindingVerdict } from './renderings.ts';

/**
 * A merchant's decision to accept a finding. If `until` is null, the acceptance never expires. The acceptance remains
 * in effect if the finding is fixed and then reappears.
 */
export interface Acceptance {
  readonly reason: string;
  /** Time when the acceptance expires, in milliseconds since the Unix epoch. */
  readonly until: number | null;
  /** User who accepted the finding: a Shopify admin user ID or a name. */
  readonly by: string;
  /** Time of the acceptance, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/** A finding with its history across all scans. Times are in milliseconds since the Unix epoch. */
export interface StoredFinding {
  readonly fingerprint: string;
  readonly ruleId: string;
  readonly severity: FindingSeverity;
  readonly status: 'open' | 'fixed';
  /**
   * Pages and theme files where the finding was last observed, sorted. For a fixed finding, these are the last known
   * locations before the fix.
   */
  readonly places: readonly string[];
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly fixedAt: number | null;
  /** Time when the finding last reappeared after a fix, or null. */
  readonly regressedAt: number | null;
  /** Details from the last scan that observed the finding (any JSON value). */
  readonly detail: unknown;
  /**
   * Acceptance that's in effect or has expired. Null if the finding was never accepted or the acceptance was removed.
   */
  readonly acceptance: Acceptance | null;
  /** Whether an acceptance is in effect now. */
  readonly accepted: boolean;
  /**
   * Verdict and time of the latest rendering that opened the storefront. Null if no rendering has evaluated the finding
   * since it last appeared or the theme last changed.
   */
  readonly verdict: { readonly is: FindingVerdict; readonly at: number } | null;
  /** Whether a rendering refuted the finding less than a week ago. */
  readonly refuted: boolean;
}

/** How long a finding stays refuted, in milliseconds. After this period, the storefront might have changed. */
const REFUTED_MS = 7 * 86_400_000;

/** Filter for findings. Omitted fields match all findings. */
export interface FindingFilter {
  readonly status?: 'open' | 'fixed' | undefined;
  readonly severity?: FindingSeverity | undefined;
  readonly ruleId?: string | undefined;
  readonly place?: string | undefined;
  /** Whether an acceptance is in effect now. */
  readonly accepted?: boolean | undefined;
  /** Whether a rendering refuted the finding less than a week ago. */
  readonly refuted?: boolean | undefined;
}

/** Finding counts. All fields except `fixed` count only open findings. */
export interface FindingCounts {
  readonly open: number;
  readonly fixed: number;
  /** Open findings with an acceptance in effect. */
  readonly accepted: number;
  /** Open findings that aren't accepted and that a rendering refuted less than a week ago. */
  readonly refuted: number;
  /** Open findings that are neither accepted nor refuted, by severity. */
  readonly bySeverity: SeverityCounts;
  /** Number of open findings by rule, including accepted findings, in descending order. */
  readonly byRule: readonly { readonly ruleId: string; readonly count: number }[];
  /** Number of open findings by location, accepted or not, in descending order. A finding counts once per location. */
  readonly byPlace: readonly { readonly place: string; readonly count: number }[];
}

/** One shop's findings, one per fingerprint. Scans update the findings; see `ShopScans.record`. */
export interface ShopFindings {
  /** Returns the finding with this fingerprint, or null. */
  get(fingerprint: string): Promise<StoredFinding | null>;
  /**
   * Lists findings by severity (most severe first), then by rule and fingerprint.
   *
   * @throws StoreError with `cursor_invalid`
   * @example
   * const page = await shop.findings.list({ status: 'open', accepted: false, limit: 50 });
   */
  list(query: FindingFilter & PageQuery): Promise<Page<StoredFinding>>;
  /** Returns the finding counts that summaries and filters show. */
  counts(): Promise<FindingCounts>;
  /**
   * Accepts findings, replacing earlier acceptances. Returns the number of accepted findings. Unknown fingerprints are
   * ignored.
   */
  accept(
    fingerprints: readonly string[],
    acceptance: { readonly reason: string; readonly until: number | null; readonly by: string },
  ): Promise<number>;
  /** Removes acceptances. Returns the number of specified fingerprints that match a finding. */
  unaccept(fingerprints: readonly string[]): Promise<number>;
}

export function createShopFindings({ durable, clock, shop, write }: ShopScope): ShopFindings {
  const select = () => durable.selectFrom('shop_findings').where('shop', '=', shop);

  async function withPlaces(rows: readonly FindingRow[]): Promise<(row: FindingRow) => StoredFinding> {
    const places = new Map(rows.map(({ fingerprint }) => [fingerprint, [] as string[]]));
    const found = await durable
      .selectFrom('shop_finding_places')
      .select(['fingerprint', 'place'])
      .where('shop', '=', shop)
      .where('fingerprint', 'in', padIds([...places.keys()]))
      .orderBy('fingerprint')
      .orderBy('place')
      .execute();
    for (const { fingerprint, place } of found) places.get(fingerprint)?.push(place);
    return row => toFinding(row, places.get(row.fingerprint) ?? [], clock());
  }

  return {
    async get(fingerprint) {
      const row = await select().selectAll().where('fingerprint', '=', fingerprint).executeTakeFirst();
      return row ? (await withPlaces([row]))(row) : null;
    },

    async list({ status, severity, ruleId, place, accepted, refuted, ...query }) {
      const { limit, after, page } = pageRequest<[number, string, string]>(query, [0, '', '']);
      const rows = await select()
        .selectAll()
        .$if(status !== undefined, found => found.where('status', '=', status ?? 'open'))
        .$if(severity !== undefined, found => found.where('severity', '=', severity ?? 'error'))
        .$if(ruleId !== undefined, found => found.where('rule_id', '=', ruleId ?? ''))
        .$if(accepted !== undefined, found => found.where(isAccepted(clock()), '=', accepted ? 1 : 0))
        .$if(refuted !== undefined, found => found.where(isRefuted(clock()), '=', refuted ? 1 : 0))
        .$if(place !== undefined, found =>
          found.where('fingerprint', 'in', eb =>
            eb
              .selectFrom('shop_finding_places')
              .select('fingerprint')
              .where('shop', '=', shop)
              .where('place', '=', place ?? ''),
          ),
        )
        .$if(after !== null, found =>
          found.where(({ eb, refTuple, tuple }) => {
            const [rank, rule, fingerprint] = after ?? [0, '', ''];
            return eb(refTuple('rank', 'rule_id', 'fingerprint'), '>', tuple(rank, rule, fingerprint));
          }),
        )
        .orderBy('rank')
        .orderBy('rule_id')
        .orderBy('fingerprint')
        .limit(limit)
        .execute();
      const show = await withPlaces(rows);
      return page(rows, ({ rank, rule_id, fingerprint }) => [rank, rule_id, fingerprint], show);
    },

    async counts() {
      const groups = await select()
        .select(eb => [
          'status',
          'severity',
          'rule_id',
          isAccepted(clock()).as('accepted'),
          isRefuted(clock()).as('refuted'),
          eb.fn.countAll<number>().as('count'),
        ])
        .groupBy(['status', 'severity', 'rule_id', 'accepted', 'refuted'])
        .execute();
      const places = await durable
        .selectFrom('shop_finding_places as seen')
        .innerJoin('shop_findings as finding', join =>
          join.onRef('finding.shop', '=', 'seen.shop').onRef('finding.fingerprint', '=', 'seen.fingerprint'),
        )
        .select(eb => ['seen.place', eb.fn.countAll<number>().as('count')])
        .where('seen.shop', '=', shop)
        .where('finding.status', '=', 'open')
        .groupBy('seen.place')
        .execute();

      const sum = (rows: readonly { readonly count: number }[]) => rows.reduce((total, { count }) => total + count, 0);
      const open = groups.filter(({ status }) => status === 'open');
      const unaccepted = open.filter(({ accepted }) => accepted === 0);
      const counted = unaccepted.filter(({ refuted }) => refuted === 0);
      const weighing = (severity: FindingSeverity) => sum(counted.filter(group => group.severity === severity));
      const rules = [...new Set(open.map(group => group.rule_id))];
      const byRule = rules.map(ruleId => ({ ruleId, count: sum(open.filter(group => group.rule_id === ruleId)) }));
      return {
        open: sum(open),
        fixed: sum(groups) - sum(open),
        accepted: sum(open) - sum(unaccepted),
        refuted: sum(unaccepted) - sum(counted),
        bySeverity: { error: weighing('error'), warn: weighing('warn'), info: weighing('info') },
        byRule: byRule.sort((a, b) => b.count - a.count || (a.ruleId < b.ruleId ? -1 : 1)),
        byPlace: places.sort((a, b) => b.count - a.count || (a.place < b.place ? -1 : 1)),
      };
    },

    accept: (fingerprints, { reason, until, by }) =>
      change(fingerprints, {
        ...{ accepted_at: clock(), accepted_until: until },
        ...{ accepted_by: stripNul(by), accepted_reason: stripNul(reason) },
      }),

    unaccept: fingerprints =>
      change(fingerprints, { accepted_at: null, accepted_until: null, accepted_by: null, accepted_reason: null }),
  };

  async function change(fingerprints: readonly string[], values: Partial<FindingRow>): Promise<number> {
    return await write(async trx => {
      let changed = 0;
      for (const part of chunks([...new Set(fingerprints)])) {
        const query = trx.updateTable('shop_findings').set(values).where('shop', '=', shop);
        changed += (await query.where('fingerprint', 'in', part).returning('fingerprint').execute()).length;
      }
      return changed;
    });
  }
}

/** Returns an SQL expression that evaluates to 1 if an acceptance is in effect, and to 0 otherwise. */
function isAccepted(now: number) {
  return sql<number>`case when accepted_at is not null and (accepted_until is null or accepted_until > ${now}) then 1 else 0 end`;
}

/**
 * Returns an SQL expression that evaluates to 1 if a rendering refuted the finding within the past week, and to 0
 * otherwise.
 */
function isRefuted(now: number) {
  return sql<number>`case when verdict = 'refuted' and verdict_at > ${now - REFUTED_MS} then 1 else 0 end`;
}

function toFinding(row: FindingRow, places: readonly string[], now: number): StoredFinding {
  const { accepted_at: at, accepted_until: until, accepted_by: by, accepted_reason: reason } = row;
  return {
    fingerprint: row.fingerprint,
    ruleId: row.rule_id,
    severity: row.severity,
    status: row.status,
    places,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    fixedAt: row.fixed_at,
    regressedAt: row.regressed_at,
    detail: JSON.parse(row.detail),
    acceptance: at === null ? null : { reason: reason ?? '', until, by: by ?? '', at },
    accepted: at !== null && (until === null || until > now),
    verdict: row.verdict === null || row.verdict_at === null ? null : { is: row.verdict, at: row.verdict_at },
    refuted: row.verdict === 'refuted' && (row.verdict_at ?? 0) > now - REFUTED_MS,
  };
}
