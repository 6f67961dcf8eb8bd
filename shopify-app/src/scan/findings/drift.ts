import { type DriftFinding, drift, type Finding, type Inventory, type MessageTerm } from '@compliance/core/pixel';
import type { ScanInventory } from '../model/types.ts';
import type { PageReading } from '../storefront/read-storefront-page.ts';
import { storeFingerprint } from './fingerprint.ts';

/** Difference between a page and its baseline. */
export interface PageDrift {
  readonly path: string;
  readonly finding: Finding;
  readonly context: MessageTerm | null;
}

/**
 * Compares each scanned page with its baseline and returns the inventory for the next scan.
 *
 * The function updates a page's baseline only if the page matches the baseline or the merchant has accepted every
 * difference. Otherwise, the baseline doesn't change, so each scan reports a missing tag until the tag is restored. An
 * incomplete page never replaces a complete baseline.
 *
 * @param previous inventory from the previous scan, or null
 * @param accepted fingerprints of accepted findings
 */
export function compareWithBaseline(
  readings: readonly PageReading[],
  previous: ScanInventory | null,
  accepted: ReadonlySet<string>,
): { readonly drifts: readonly PageDrift[]; readonly inventory: ScanInventory } {
  const drifts: PageDrift[] = [];
  const pages: ScanInventory['pages'][number][] = [];
  for (const { coverage, scan } of readings) {
    const { kind, path } = coverage;
    if (path === null) continue;
    const before = previous?.pages.find(page => page.path === path);
    if (!scan) {
      if (before && coverage.state !== 'gone') pages.push(before);
      continue;
    }
    const seen = scan.inventory;
    const differences = before ? drift(before.baseline, seen).findings.filter(one => !isIntendedRemoval(one)) : [];
    const found = differences.map(one => pageDrift(path, seen, one));
    drifts.push(...found);
    const allAccepted = found.every(({ finding }) => accepted.has(storeFingerprint(finding, null)));
    const baseline = before && !(allAccepted && (seen.complete || !before.baseline.complete)) ? before.baseline : seen;
    pages.push({ kind, path, seen, baseline });
  }
  return { drifts, inventory: { pages } };
}

/**
 * Returns whether a drift finding reports a removal that the app asked the merchant to make. Universal Analytics is
 * retired, so the app asks the merchant to remove its tags.
 */
const isIntendedRemoval = ({ rule_id, ids }: DriftFinding): boolean =>
  rule_id === 'drift_tag_removed' && ids.every(id => /^UA-/i.test(id));

/** Converts a drift finding to a regular finding that refers to the page. */
function pageDrift(
  path: string,
  { url }: Inventory,
  { context: _text, context_term, ...found }: DriftFinding,
): PageDrift {
  const finding: Finding = {
    ...found,
    ...{ confidence: 'certain', where: { source: 'page', line: 1, column: 1, url }, snippet: '', state: 'run' },
    ...{ variant: null, since: null, escalates_on: null, mitigated: false },
  };
  return { path, finding, context: context_term ?? null };
}
