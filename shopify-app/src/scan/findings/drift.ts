import { type DriftFinding, drift, type Finding, type Inventory } from '@compliance/core/pixel';
import type { PageReading } from '../storefront/read-page.ts';
import type { ScanInventory } from '../types.ts';
import { storeFingerprint } from './same.ts';

/** A difference of a page from what it was. */
export interface PageDrift {
  readonly path: string;
  readonly finding: Finding;
  readonly context: string | null;
}

/**
 * Compares each page that was read with its baseline, and says what to compare the next scan with.
 *
 * The baseline follows the page once nothing is different, or the merchant has accepted every difference. Until then it stays:
 * a tag that went missing is not back because it is still missing. A page that was not wholly seen is no baseline for one that was.
 *
 * @param previous the inventory of the scan before, or null
 * @param accepted fingerprints of findings that the merchant lives with
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
    const differences = before ? drift(before.baseline, seen).findings.filter(one => !isRemedy(one)) : [];
    const found = differences.map(one => pageDrift(path, seen, one));
    drifts.push(...found);
    const settled = found.every(({ finding }) => accepted.has(storeFingerprint(finding, null)));
    const baseline = before && !(settled && (seen.complete || !before.baseline.complete)) ? before.baseline : seen;
    pages.push({ kind, path, seen, baseline });
  }
  return { drifts, inventory: { pages } };
}

/** Universal Analytics is dead: that its tag goes is what a finding about it asks for. */
const isRemedy = ({ rule_id, ids }: DriftFinding): boolean =>
  rule_id === 'drift_tag_removed' && ids.every(id => /^UA-/i.test(id));

/** A drift finding in the form of all others; its place is the page. */
function pageDrift(path: string, { url }: Inventory, { context, ...found }: DriftFinding): PageDrift {
  const finding: Finding = {
    ...found,
    ...{ confidence: 'certain', where: { source: 'page', line: 1, column: 1, url }, snippet: '', state: 'run' },
    ...{ variant: null, since: null, escalates_on: null, mitigated: false },
  };
  return { path, finding, context };
}
