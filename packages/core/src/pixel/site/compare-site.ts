import type { PageOutcome } from './page-outcome.ts';
import { SITE_PAGE_TYPES, type SitePageType } from './page-type.ts';
import type { SiteDrift, SiteDriftFinding, SiteInventory } from './site-scan.ts';

type PageDrift = SiteDrift['pages'][number];

/**
 * Combines the changes on all pages since the baseline. A change found on several pages is reported as a single
 * finding. A page type that's only in the scan or only in the baseline is listed as not compared.
 */
export function compareSite(outcomes: readonly PageOutcome[], baseline: readonly SiteInventory[]): SiteDrift {
  const changes = new Map<string, SiteDriftFinding>();
  const pages: PageDrift[] = [];
  for (const page_type of SITE_PAGE_TYPES) {
    const page = outcomes.find(one => one.page_type === page_type);
    const inBaseline = baseline.some(one => one.page_type === page_type);
    if (!page?.result && !inBaseline) continue;
    pages.push(driftOf(page_type, page, inBaseline));
    for (const change of page?.result ? (page.drift?.findings ?? []) : []) {
      const key = JSON.stringify([change.rule_id, change.ids, change.message]);
      const known = changes.get(key) ?? { ...change, seen_on: [] };
      changes.set(key, { ...known, seen_on: [...known.seen_on, page_type] });
    }
  }
  const findings = [...changes.values()].sort(compareChanges);
  const broken = findings.some(({ severity }) => severity === 'error');
  return { drift_status: broken ? 'broken' : findings.length > 0 ? 'changed' : 'none', findings, pages };
}

function driftOf(page_type: SitePageType, page: PageOutcome | undefined, inBaseline: boolean): PageDrift {
  const notCompared = (reason: string): PageDrift => ({ page_type, drift_status: null, not_compared: reason });
  if (!page?.result) return notCompared('not scanned');
  if (!inBaseline || !page.drift) return notCompared('not in the baseline');
  const { drift_status, not_compared } = page.drift;
  return not_compared === null ? { page_type, drift_status, not_compared } : notCompared(not_compared);
}

const SEVERITY = { error: 0, warn: 1, info: 2 } as const;

const compareChanges = (a: SiteDriftFinding, b: SiteDriftFinding): number =>
  SEVERITY[a.severity] - SEVERITY[b.severity] ||
  (a.rule_id === b.rule_id ? compareText(a.message, b.message) : compareText(a.rule_id, b.rule_id));

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
