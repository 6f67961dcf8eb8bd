import type { Database } from '../../database/schema.ts';
import { padded, slices } from '../batches.ts';
import type { FindingRow } from '../schema.ts';
import { toJson } from '../scope.ts';

/** The weight of a finding, as the scan gives it. */
export type FindingSeverity = FindingRow['severity'];

/** A finding as a scan saw it. */
export interface SeenFinding {
  /** The same for the same fault in later scans; the `fingerprint` of `@compliance/core/pixel`. */
  readonly fingerprint: string;
  readonly ruleId: string;
  readonly severity: FindingSeverity;
  /**
   * What was read when it was seen, as it stands in `covered`: a page of the storefront, a file of the theme. One finding
   * may come several times, once for each place.
   */
  readonly place: string;
  /** The finding itself, any JSON value. */
  readonly detail: unknown;
}

/** Findings by severity. */
export type SeverityCounts = Readonly<Record<FindingSeverity, number>>;

/** What a scan changed: fingerprints of findings that are new, gone, or back again after they were gone. */
export interface ScanChanges {
  readonly new: readonly string[];
  readonly fixed: readonly string[];
  readonly regressed: readonly string[];
  /** How many were seen before and are seen again. */
  readonly same: number;
  /** How many open ones could not be judged, their places not having been read. */
  readonly unseen: number;
}

const RANK = { error: 0, warn: 1, info: 2 } as const;

/**
 * Brings what is known of a shop's findings up to date with what a scan saw, in the scan's transaction. An open finding that
 * was not seen loses the places that were read, and is fixed when none is left: a place that was not read says nothing.
 */
export async function settle(
  trx: Database,
  shop: string,
  now: number,
  findings: readonly SeenFinding[],
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
    // A fixed one keeps the places that it was seen in last.
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
  await mark(trx, shop, changes.regressed, { regressed_at: now });
  await writePlaces(trx, shop, known, places);
  return { changes, counts };
}

/** One finding for each fingerprint, the first, with all the places. */
function byFingerprint(findings: readonly SeenFinding[]) {
  const seen = new Map<string, { readonly finding: SeenFinding; readonly places: Set<string> }>();
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

async function readKnown(trx: Database, shop: string): Promise<ReadonlyMap<string, Known>> {
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

async function writeSeen(trx: Database, shop: string, now: number, findings: readonly SeenFinding[]): Promise<void> {
  const rows = findings.map(({ fingerprint, ruleId, severity, detail }) => ({
    ...{ shop, fingerprint, rule_id: ruleId, severity, rank: RANK[severity], status: 'open' as const },
    ...{ first_seen: now, last_seen: now, detail: toJson(detail) },
  }));
  for (const part of slices(rows)) {
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
  trx: Database,
  shop: string,
  fingerprints: readonly string[],
  values: { readonly status?: 'fixed'; readonly fixed_at?: number; readonly regressed_at?: number },
): Promise<void> {
  for (const part of slices(fingerprints)) {
    await trx
      .updateTable('shop_findings')
      .set(values)
      .where('shop', '=', shop)
      .where('fingerprint', 'in', part)
      .execute();
  }
}

/** Writes what is different: most findings stay where they are. */
async function writePlaces(
  trx: Database,
  shop: string,
  known: ReadonlyMap<string, Known>,
  places: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  const added: { shop: string; fingerprint: string; place: string }[] = [];
  for (const [fingerprint, wanted] of places) {
    const before = known.get(fingerprint)?.places ?? new Set<string>();
    const gone = [...before].filter(place => !wanted.has(place));
    for (let from = 0; from < gone.length; from += 1000) {
      await trx
        .deleteFrom('shop_finding_places')
        .where('shop', '=', shop)
        .where('fingerprint', '=', fingerprint)
        .where('place', 'in', padded(gone.slice(from, from + 1000)))
        .execute();
    }
    for (const place of wanted) if (!before.has(place)) added.push({ shop, fingerprint, place });
  }
  for (const part of slices(added)) await trx.insertInto('shop_finding_places').values(part).execute();
}
