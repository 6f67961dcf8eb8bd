import { SCORE_VERSION } from '@compliance/core/pixel';
import type { NewScan } from '@compliance/store/shop';
import { compareWithBaseline } from './findings/drift.ts';
import { joinFindings, type StoreFinding } from './findings/join.ts';
import { placeOfFile, placeOfPage, readPlace } from './model/places.ts';
import type { ScanCoverage, ScanInventory, ScanReason } from './model/types.ts';
import { storeScore } from './store-score.ts';
import type { PageReading } from './storefront/read-storefront-page.ts';
import type { ThemeReading } from './theme/read-theme.ts';
import { unseenParts } from './unseen-parts.ts';

/** Data from this scan and from earlier scans. */
export interface ScanInputs {
  /** Shop's primary host. */
  readonly host: string;
  readonly readings: readonly PageReading[];
  readonly theme: ThemeReading;
  /** Reason that Shopify no longer grants access, or null if it still does. */
  readonly lostAccess: 'revoked' | 'frozen' | null;
  /** Inventory from the previous scan, or null if this is the first scan. */
  readonly previous: ScanInventory | null;
  /** Locations of open findings. */
  readonly openPlaces: readonly string[];
  /** Fingerprints of accepted findings. */
  readonly accepted: ReadonlySet<string>;
  /** Fingerprints of findings that a browser refuted, which don't lower the score. */
  readonly refuted: ReadonlySet<string>;
}

/** Scan result without its ID, trigger, and start time. */
export type FinalizedScan = Omit<NewScan, 'id' | 'trigger' | 'startedAt'> & {
  readonly coverage: ScanCoverage;
  readonly inventory: ScanInventory;
};

/**
 * Maximum number of findings stored per scan. A store with more findings was most likely designed to slow down scans.
 */
const MAX_FINDINGS = 1_000;

/**
 * Computes a scan's result.
 *
 * The core library calculates the score from the distinct findings on all pages and in the theme, excluding drift
 * findings and findings that a browser refuted. If the scan couldn't read the home page, it can't determine what
 * shoppers see, so the score is null. The state is `complete` if the scan read every page and the whole theme, `failed`
 * if it read nothing, and otherwise `partial`. A scan can be complete even if the store lacks some page types or
 * disallows crawling of pages other than the home page.
 *
 * @example finalizeScan(inputs).score // 74
 */
export function finalizeScan(inputs: ScanInputs): FinalizedScan {
  const { host, readings, theme } = inputs;
  const { drifts, inventory } = compareWithBaseline(readings, inputs.previous, inputs.accepted);
  const found = joinFindings(readings, theme, drifts);
  const kept = mostSevere(found);
  const reason = reasonOf(inputs);
  const { score, breakdown } = storeScore({
    findings: found.map(({ fingerprint, detail }) => ({ fingerprint, finding: detail.finding })),
    refuted: inputs.refuted,
    complete: reason === null,
  });
  const scored = readings.some(({ coverage, scan }) => coverage.path === '/' && scan !== null);
  const nothing = theme.files.length === 0 && readings.every(({ scan }) => scan === null);
  return {
    state: reason === null ? 'complete' : nothing ? 'failed' : 'partial',
    reason,
    score: scored ? score : null,
    scoreVersion: SCORE_VERSION,
    breakdown: scored ? breakdown : [],
    theme: theme.coverage.theme,
    coverage: {
      host,
      pages: readings.map(({ coverage }) => coverage),
      theme: theme.coverage,
      unseen: unseenParts(readings.flatMap(({ scan }) => (scan ? [scan.inventory] : []))),
    },
    inventory,
    findings: kept.flatMap(({ fingerprint, detail, places }) =>
      places.map(place => ({
        ...{ fingerprint, ruleId: detail.finding.rule_id, severity: detail.finding.severity },
        ...{ place, detail },
      })),
    ),
    // If the result omits findings, the app can't know which findings are fixed.
    covered: kept.length < found.length ? [] : coveredPlaces(inputs),
  };
}

/** Returns the most significant reason that the scan isn't complete, or null if it's complete. */
function reasonOf({ readings, theme, lostAccess }: ScanInputs): ScanReason | null {
  if (lostAccess) return lostAccess;
  const home = readings[0]!.coverage;
  if (home.state === 'password') return 'password';
  if (!readings[0]!.scan) return home.reason;
  if (theme.coverage.state === 'no_scope') return 'no_scope';
  if (theme.coverage.state !== 'read') return 'theme';
  if (readings.some(({ coverage }) => coverage.state === 'not_read' || coverage.state === 'password')) return 'pages';
  return readings.some(({ coverage }) => coverage.state === 'cut') ? 'scripts' : null;
}

/** Returns all completely scanned locations and all locations that no longer exist. */
function coveredPlaces({ readings, theme, openPlaces }: ScanInputs): readonly string[] {
  const pages = readings.flatMap(({ coverage: { path, state } }) =>
    path !== null && (state === 'read' || state === 'gone') ? [placeOfPage(path)] : [],
  );
  const files = theme.files.map(({ name }) => placeOfFile(name));
  const { names } = theme;
  const gone = openPlaces.filter(place => {
    const { kind, name } = readPlace(place);
    return kind === 'file' && names && !names.has(name);
  });
  return [...new Set([...pages, ...files, ...gone])].sort();
}

const SEVERITY = { error: 0, warn: 1, info: 2 } as const;

const mostSevere = (found: readonly StoreFinding[]): readonly StoreFinding[] =>
  found.length <= MAX_FINDINGS
    ? found
    : found
        .toSorted((a, b) => SEVERITY[a.detail.finding.severity] - SEVERITY[b.detail.finding.severity])
        .slice(0, MAX_FINDINGS);
