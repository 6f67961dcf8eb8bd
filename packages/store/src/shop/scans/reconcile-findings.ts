import { sql } from 'kysely';
import { chunks } from '../../database/chunks.ts';
import { toJsonText } from '../../database/json.ts';
import type { FindingRow, ShopDatabase } from '../schema.ts';

/** Severity of a finding, as reported by the scan. */
export type FindingSeverity = FindingRow['severity'];

/** A finding that a scan observed at one location. */
export interface ObservedFinding {
  /** Fingerprint that identifies the same problem in later scans, computed by `@compliance/core/pixel`. */
  readonly fingerprint: string;
  readonly ruleId: string;
  readonly severity: FindingSeverity;
  /**
   * Storefront page or theme file where the finding was observed, as named in `covered`. A scan lists a finding once
   * per location.
   */
  readonly place: string;
  /** All details of the finding from the scan (any JSON value). */
  readonly detail: unknown;
  /**
   * Details to keep with the shop's finding instead of `detail` (any JSON value), for data that the scan history
   * doesn't need. Recorded scans don't contain this field.
   */
  readonly currentDetail?: unknown;
}

/** Number of findings by severity. */
export type SeverityCounts = Readonly<Record<FindingSeverity, number>>;

/** Changes since earlier scans, with the fingerprints of new, fixed, and reappeared findings. */
export interface ScanChanges {
  readonly new: readonly string[];
  readonly fixed: readonly string[];
  readonly regressed: readonly string[];
  /** Number of previously open findings that were observed again. */
  readonly same: number;
  /** Number of findings that weren't observed but remain open, because the scan didn't cover all of their locations. */
  readonly unseen: number;
}

const RANK = { error: 0, warn: 1, info: 2 } as const;

/**
 * Updates a shop's stored findings with a scan's findings, in the scan's transaction. If the scan covered a location of
 * an open finding but didn't observe the finding there, removes the location from the finding. A finding without
 * remaining locations counts as fixed. Locations that weren't scanned stay unchanged.
 */
export async function reconcileFindings(
  trx: ShopDatabase,
  shop: string,
  now: number,
  findings: readonly ObservedFinding[],
  covered: readonly string[],
): Promise<{ readonly changes: ScanChanges; readonly counts: SeverityCounts }> {
  const seen = byFingerprint(findings);
  const counts = { error: 0, warn: 0, info: 0 };
  for (const { finding } of seen.values()) counts[finding.severity]++;

  const known = await readKnown(trx, shop);
  const read = new Set(covered);
  const changes = { new: [] as string[], fixed: [] as string[], regressed: [] as string[], same: 0, unseen: 0 };
  const places = new Map<string, ReadonlySet<string>>();

  for (const [fingerprint, { places: seenIn }] of seen) {
    const before = known.get(fingerprint);
    if (!before) changes.new.push(fingerprint);
    else if (before.status === 'fixed') changes.regressed.push(fingerprint);
    else changes.same++;
    const left = before?.status === 'open' ? [...before.places].filter(place => !read.has(place)) : [];
    places.set(fingerprint, new Set([...left, ...seenIn]));
  }
  for (const [fingerprint, before] of known) {
    if (before.status === 'fixed' || seen.has(fingerprint)) continue;
    const left = new Set([...before.places].filter(place => !read.has(place)));
    // A fixed finding keeps the locations where it was last observed.
    if (left.size === 0) changes.fixed.push(fingerprint);
    else {
      changes.unseen++;
      places.set(fingerprint, left);
    }
  }

  await writeSeen(
    trx,
    shop,
    now,
    [...seen.values()].map(({ finding }) => finding),
  );
  await mark(trx, shop, changes.fixed, { status: 'fixed', fixed_at: now });
  // Clear the verdicts, because no browser has seen the new occurrences.
  await mark(trx, shop, changes.regressed, { regressed_at: now, verdict: null, verdict_at: null });
  await writePlaces(trx, shop, known, places);
  return { changes, counts };
}

/** Groups the findings by fingerprint, and returns the first finding and all locations for each fingerprint. */
function byFingerprint(findings: readonly ObservedFinding[]) {
  const seen = new Map<string, { readonly finding: ObservedFinding; readonly places: Set<string> }>();
  for (const finding of findings) {
    const one = seen.get(finding.fingerprint) ?? { finding, places: new Set() };
    one.places.add(finding.place);
    seen.set(finding.fingerprint, one);
  }
  return seen;
}

interface Known {
  readonly status: 'open' | 'fixed';
  readonly places: Set<string>;
}

async function readKnown(trx: ShopDatabase, shop: string): Promise<ReadonlyMap<string, Known>> {
  const rows = await trx
    .selectFrom('shop_findings')
    .select(['fingerprint', 'status'])
    .where('shop', '=', shop)
    .execute();
  const known = new Map(rows.map(({ fingerprint, status }) => [fingerprint, { status, places: new Set<string>() }]));
  const places = await trx
    .selectFrom('shop_finding_places')
    .select(['fingerprint', 'place'])
    .where('shop', '=', shop)
    .execute();
  for (const { fingerprint, place } of places) known.get(fingerprint)?.places.add(place);
  return known;
}

async function writeSeen(
  trx: ShopDatabase,
  shop: string,
  now: number,
  findings: readonly ObservedFinding[],
): Promise<void> {
  const rows = findings.map(({ fingerprint, ruleId, severity, detail, currentDetail }) => ({
    ...{ shop, fingerprint, rule_id: ruleId, severity, rank: RANK[severity], status: 'open' as const },
    ...{ first_seen: now, last_seen: now, detail: toJsonText(currentDetail ?? detail) },
  }));
  for (const part of chunks(rows)) {
    await trx
      .insertInto('shop_findings')
      .values(part)
      .onConflict(conflict =>
        conflict.columns(['shop', 'fingerprint']).doUpdateSet(({ ref }) => ({
          rule_id: ref('excluded.rule_id'),
          severity: ref('excluded.severity'),
          rank: ref('excluded.rank'),
          status: ref('excluded.status'),
          last_seen: ref('excluded.last_seen'),
          detail: ref('excluded.detail'),
          fixed_at: null,
        })),
      )
      .execute();
  }
}

async function mark(
  trx: ShopDatabase,
  shop: string,
  fingerprints: readonly string[],
  values: Partial<FindingRow>,
): Promise<void> {
  for (const part of chunks(fingerprints)) {
    await trx
      .updateTable('shop_findings')
      .set(values)
      .where('shop', '=', shop)
      .where('fingerprint', 'in', part)
      .execute();
  }
}

/** Writes only the changed locations, because most findings stay the same. */
async function writePlaces(
  trx: ShopDatabase,
  shop: string,
  known: ReadonlyMap<string, Known>,
  places: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  const added: { shop: string; fingerprint: string; place: string }[] = [];
  const removed: { fingerprint: string; place: string }[] = [];
  for (const [fingerprint, wanted] of places) {
    const before = known.get(fingerprint)?.places ?? new Set<string>();
    for (const place of before) if (!wanted.has(place)) removed.push({ fingerprint, place });
    for (const place of wanted) if (!before.has(place)) added.push({ shop, fingerprint, place });
  }
  for (const part of chunks(removed)) {
    const pairs = sql.join(part.map(({ fingerprint, place }) => sql`(${fingerprint}, ${place})`));
    await trx
      .deleteFrom('shop_finding_places')
      .where('shop', '=', shop)
      .where(sql<boolean>`(fingerprint, place) in (values ${pairs})`)
      .execute();
  }
  for (const part of chunks(added)) await trx.insertInto('shop_finding_places').values(part).execute();
}
