import type { Finding } from '../model/finding.ts';
import type { Severity } from '../model/rule.ts';
import { contextMetas } from '../scan/context-findings.ts';
import { compareFindings } from '../scan/findings.ts';
import { fingerprint } from '../scan/fingerprint.ts';
import { pointsOf, SCORE_VERSION, scoreOf } from '../score/score.ts';
import { compareSite } from './compare-site.ts';
import type { PageOutcome, ScannedPage } from './page-outcome.ts';
import { SITE_PAGE_TYPES, type SitePageType } from './page-type.ts';
import type { SiteFinding, SiteInventory, SitePage, SiteScan, SiteTag, SiteThirdParty } from './site-scan.ts';

/**
 * Combines the pages of a site into one report. The function is pure, and the order of the pages doesn't matter.
 *
 * The site's score is calculated in the same way as a page's score, but from the combined findings. Each problem lowers
 * the score only once, no matter how many pages it affects. Fixing a problem never lowers the score. The site never
 * scores higher than its worst page. If a page type couldn't be scanned, the site's score is always below 100. A page
 * type that wasn't found, such as a blog, doesn't affect the score.
 *
 * @param outcomes one page per type
 * @param baseline inventories from an earlier scan, or null
 * @example combinePages([{ page_type: 'home', url, result: scan(capture, options), drift: null, notes: [] }], null).score_covers // ['home']
 */
export function combinePages(outcomes: readonly PageOutcome[], baseline: readonly SiteInventory[] | null): SiteScan {
  const ordered = SITE_PAGE_TYPES.flatMap(type => outcomes.find(({ page_type }) => page_type === type) ?? []);
  const scanned = ordered.filter((page): page is ScannedPage => page.result !== null);
  const findings = combineFindings(scanned);
  const severity_counts = { info: 0, warn: 0, error: 0 };
  for (const { severity } of findings) severity_counts[severity]++;
  const whole = ordered.every(page => (page.result ? page.result.inventory.complete : page.reason === 'not_found'));
  const { score, breakdown } = scoreOf(findings, whole);
  const isScored = scanned.length > 0;
  return {
    score: isScored ? score : null,
    score_covers: scanned.map(({ page_type }) => page_type),
    score_version: SCORE_VERSION,
    score_breakdown: isScored ? breakdown : [],
    severity_counts,
    findings,
    pages: ordered.map(pageOf),
    inventory: {
      tags: combineTags(scanned),
      containers: [...new Set(scanned.flatMap(({ result }) => result.inventory.containers))].sort(),
      third_parties: combineThirdParties(scanned),
    },
    inventories: scanned.map(({ page_type, result }) => ({ page_type, inventory: result.inventory })),
    shopify: scanned.find(({ result }) => result.shopify.detected)?.result.shopify ??
      scanned[0]?.result.shopify ?? { detected: false, kind: 'unknown', theme: null },
    drift: baseline && compareSite(ordered, baseline),
  };
}

function pageOf(page: PageOutcome): SitePage {
  const { page_type, url } = page;
  if (!page.result) {
    const { reason, message, status } = page;
    const nothing = { score: null, severity_counts: null, complete: false, scripts: 0, notes: [] } as const;
    return { page_type, url, state: 'not_scanned', reason, message, status, ...nothing };
  }
  const { result, notes } = page;
  const { score, severity_counts, scanned, inventory } = result;
  return {
    ...{ page_type, url: scanned.url, state: 'scanned', reason: null, message: null, status: null },
    ...{ score, severity_counts, complete: inventory.complete, scripts: scanned.scripts, notes },
  };
}

const contextIds = new Set(contextMetas.map(({ id }) => id));

/**
 * Returns a key that identifies the same problem on every page. The key doesn't contain the page or a position. The key
 * includes the message, because it can name the affected event, but omits any numbers in the message, because they can
 * be positions. A context finding describes a whole page, so its key contains the message only if the message names
 * containers.
 */
function problemOf(finding: Finding, pageUrl: string): string {
  const { rule_id, message, where } = finding;
  if (contextIds.has(rule_id)) return rule_id === 'gtm_contents_unseen' ? message : rule_id;
  const url = where.url === pageUrl ? '' : where.url;
  return `${fingerprint({ ...finding, where: { ...where, url } })} ${message.replace(/\d+/g, '0')}`;
}

const SEVERITY: Readonly<Record<Severity, number>> = { error: 0, warn: 1, info: 2 };

/** Compares two findings for the same problem. The finding with the larger deduction comes first. */
const compareWeight = (a: Finding, b: Finding): number =>
  pointsOf(b) - pointsOf(a) || SEVERITY[a.severity] - SEVERITY[b.severity] || compareFindings(a, b);

function combineFindings(pages: readonly ScannedPage[]): SiteFinding[] {
  const problems = new Map<string, { worst: Finding; pages: SitePageType[] }>();
  for (const { page_type, result } of pages) {
    const onPage = new Map<string, number>();
    for (const finding of result.findings) {
      const problem = problemOf(finding, result.scanned.url);
      // Multiple findings with the same key on one page represent different problems.
      const count = (onPage.get(problem) ?? 0) + 1;
      onPage.set(problem, count);
      const key = `${problem} ${count}`;
      const known = problems.get(key);
      known?.pages.push(page_type);
      if (!known) problems.set(key, { worst: finding, pages: [page_type] });
      else if (compareWeight(finding, known.worst) < 0) known.worst = finding;
    }
  }
  return [...problems.values()]
    .map(({ worst, pages }) => ({ ...worst, seen_on: pages }))
    .sort((a, b) => compareFindings(a, b) || b.seen_on.length - a.seen_on.length);
}

/** Combines the tags on all pages. Tags that differ only in their events become one tag. */
function combineTags(pages: readonly ScannedPage[]): SiteTag[] {
  const combined = new Map<string, SiteTag>();
  for (const { page_type, result } of pages) {
    for (const tag of result.inventory.tags) {
      const { vendor, kind, id, channel, state, position, consent, loader_host } = tag;
      const key = JSON.stringify([vendor, kind, id, channel, state, position, consent, loader_host]);
      const known = combined.get(key) ?? { ...tag, seen_on: [] };
      combined.set(key, {
        ...known,
        events: [...new Set([...known.events, ...tag.events])].sort(),
        events_unresolved: known.events_unresolved || tag.events_unresolved,
        seen_on: [...known.seen_on, page_type],
      });
    }
  }
  return inKeyOrder(combined);
}

function combineThirdParties(pages: readonly ScannedPage[]): SiteThirdParty[] {
  const combined = new Map<string, SiteThirdParty>();
  for (const { page_type, result } of pages) {
    for (const party of result.inventory.third_parties) {
      const key = JSON.stringify([party.company, party.host, party.category]);
      const known = combined.get(key) ?? { ...party, seen_on: [] };
      combined.set(key, { ...known, seen_on: [...new Set([...known.seen_on, page_type])] });
    }
  }
  return inKeyOrder(combined);
}

const inKeyOrder = <Entry>(entries: ReadonlyMap<string, Entry>): Entry[] =>
  [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
