import { sql } from 'kysely';
import { padded, slices } from '../batches.ts';
import { type Page, type PageQuery, pageRequest } from '../page.ts';

import type { FindingRow } from '../schema.ts';
import { plain, type Scope } from '../scope.ts';
import type { FindingSeverity, SeverityCounts } from './settle.ts';

/** That a merchant lives with a finding. `until` null: for good. It stays in force when the finding goes and comes back. */
export interface Acceptance {
  readonly reason: string;
  /** ms since epoch; from then on the finding counts again. */
  readonly until: number | null;
  /** Who accepted, a user id of the shop's admin or a name. */
  readonly by: string;
  /** ms since epoch. */
  readonly at: number;
}

/** What is known of one fault over all scans. Times are ms since epoch. */
export interface KnownFinding {
  readonly fingerprint: string;
  readonly ruleId: string;
  readonly severity: FindingSeverity;
  readonly status: 'open' | 'fixed';
  /** Where it was seen last, sorted. Those of a fixed one are the last that it was seen in. */
  readonly places: readonly string[];
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly fixedAt: number | null;
  /** When it last came back after it was fixed. */
  readonly regressedAt: number | null;
  /** The newest form of it, any JSON value. */
  readonly detail: unknown;
  /** In force or run out; null when there is none. */
  readonly acceptance: Acceptance | null;
  /** Whether an acceptance is in force now. */
  readonly accepted: boolean;
}

/** Which findings; what is left out does not matter. */
export interface FindingFilter {
  readonly status?: 'open' | 'fixed' | undefined;
  readonly severity?: FindingSeverity | undefined;
  readonly ruleId?: string | undefined;
  readonly place?: string | undefined;
  /** Whether an acceptance is in force now. */
  readonly accepted?: boolean | undefined;
}

/** How many findings there are. All but `fixed` are about open ones. */
export interface FindingCounts {
  readonly open: number;
  readonly fixed: number;
  /** Open and accepted, the acceptance being in force. */
  readonly accepted: number;
  /** Open and not accepted. */
  readonly bySeverity: SeverityCounts;
  /** Open, accepted or not; most first. */
  readonly byRule: readonly { readonly ruleId: string; readonly count: number }[];
  /** Open, accepted or not; most first. One finding counts in each of its places. */
  readonly byPlace: readonly { readonly place: string; readonly count: number }[];
}

/** The findings of one shop, one for each fingerprint. Scans settle them: see `OwnScans.record`. */
export interface OwnFindings {
  /** The finding with this fingerprint, or null. */
  get(fingerprint: string): Promise<KnownFinding | null>;
  /**
   * Gravest first, then by rule and fingerprint.
   *
   * @throws StoreError `cursor_invalid`
   * @example
   * const page = await shop.findings.list({ status: 'open', accepted: false, limit: 50 });
   */
  list(query: FindingFilter & PageQuery): Promise<Page<KnownFinding>>;
  /** For the numbers and the choices of filters. */
  counts(): Promise<FindingCounts>;
  /** Accepts findings, in the place of earlier acceptances. Gives how many of the fingerprints the shop has. */
  accept(
    fingerprints: readonly string[],
    acceptance: { readonly reason: string; readonly until: number | null; readonly by: string },
  ): Promise<number>;
  /** Takes acceptances back. Gives how many of the fingerprints the shop has. */
  unaccept(fingerprints: readonly string[]): Promise<number>;
}

export function createOwnFindings({ ledger, clock, shop, write }: Scope): OwnFindings {
  const select = () => ledger.selectFrom('shop_findings').where('shop', '=', shop);

  async function withPlaces(rows: readonly FindingRow[]): Promise<(row: FindingRow) => KnownFinding> {
    const places = new Map(rows.map(({ fingerprint }) => [fingerprint, [] as string[]]));
    const found = await ledger
      .selectFrom('shop_finding_places')
      .select(['fingerprint', 'place'])
      .where('shop', '=', shop)
      .where('fingerprint', 'in', padded([...places.keys()]))
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

    async list({ status, severity, ruleId, place, accepted, ...query }) {
      const { limit, after, page } = pageRequest<[number, string, string]>(query, [0, '', '']);
      const rows = await select()
        .selectAll()
        .$if(status !== undefined, found => found.where('status', '=', status ?? 'open'))
        .$if(severity !== undefined, found => found.where('severity', '=', severity ?? 'error'))
        .$if(ruleId !== undefined, found => found.where('rule_id', '=', ruleId ?? ''))
        .$if(accepted !== undefined, found => found.where(isAccepted(clock()), '=', accepted ? 1 : 0))
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
          eb.fn.countAll<number>().as('count'),
        ])
        .groupBy(['status', 'severity', 'rule_id', 'accepted'])
        .execute();
      const places = await ledger
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
      const weighing = (severity: FindingSeverity) => sum(unaccepted.filter(group => group.severity === severity));
      const rules = [...new Set(open.map(group => group.rule_id))];
      const byRule = rules.map(ruleId => ({ ruleId, count: sum(open.filter(group => group.rule_id === ruleId)) }));
      return {
        open: sum(open),
        fixed: sum(groups) - sum(open),
        accepted: sum(open) - sum(unaccepted),
        bySeverity: { error: weighing('error'), warn: weighing('warn'), info: weighing('info') },
        byRule: byRule.sort((a, b) => b.count - a.count || (a.ruleId < b.ruleId ? -1 : 1)),
        byPlace: places.sort((a, b) => b.count - a.count || (a.place < b.place ? -1 : 1)),
      };
    },

    accept: (fingerprints, { reason, until, by }) =>
      change(fingerprints, {
        ...{ accepted_at: clock(), accepted_until: until },
        ...{ accepted_by: plain(by), accepted_reason: plain(reason) },
      }),

    unaccept: fingerprints =>
      change(fingerprints, { accepted_at: null, accepted_until: null, accepted_by: null, accepted_reason: null }),
  };

  async function change(fingerprints: readonly string[], values: Partial<FindingRow>): Promise<number> {
    return await write(async trx => {
      let changed = 0;
      for (const part of slices([...new Set(fingerprints)])) {
        const query = trx.updateTable('shop_findings').set(values).where('shop', '=', shop);
        changed += (await query.where('fingerprint', 'in', part).returning('fingerprint').execute()).length;
      }
      return changed;
    });
  }
}

/** 1 where an acceptance is in force, else 0. */
function isAccepted(now: number) {
  return sql<number>`case when accepted_at is not null and (accepted_until is null or accepted_until > ${now}) then 1 else 0 end`;
}

function toFinding(row: FindingRow, places: readonly string[], now: number): KnownFinding {
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
  };
}
