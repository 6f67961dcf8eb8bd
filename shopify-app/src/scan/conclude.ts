import { driftRules, SCORE_VERSION, scoreOf } from '@compliance/core/pixel';
import type { NewScan } from '@compliance/store';
import { compareWithBaseline } from './findings/drift.ts';
import { joinFindings, type StoreFinding } from './findings/join.ts';
import { placeOfFile, placeOfPage, readPlace } from './places.ts';
import type { PageReading } from './storefront/read-page.ts';
import type { ThemeReading } from './theme/read-theme.ts';
import type { ScanCoverage, ScanInventory, ScanReason, Unseen } from './types.ts';

/** What a scan read, and what is known from before. */
export interface ScanMaterial {
  /** The shop's primary host. */
  readonly host: string;
  readonly readings: readonly PageReading[];
  readonly theme: ThemeReading;
  /** Why Shopify no longer lets the app ask, or null. */
  readonly shut: 'revoked' | 'frozen' | null;
  /** The inventory of the scan before, or null. */
  readonly previous: ScanInventory | null;
  /** Places of findings that are open. */
  readonly openPlaces: readonly string[];
  /** Fingerprints of findings that the merchant lives with. */
  readonly accepted: ReadonlySet<string>;
}

/** What is said of a scan, all but its name and time. */
export type Conclusion = Omit<NewScan, 'id' | 'trigger' | 'startedAt'> & {
  readonly coverage: ScanCoverage;
  readonly inventory: ScanInventory;
};

/** Findings that are kept of one scan. A store that has more is made to be slow. */
const MOST_FINDINGS = 1_000;

const DRIFT: ReadonlySet<string> = new Set(driftRules.map(({ meta }) => meta.id));

/**
 * Says what a scan found.
 *
 * The score is core's, over all that was found on the pages and in the theme together, each fault once; differences from the
 * baseline stay out of it, as core has them. It is null unless the home page was read: what shoppers get is then not known.
 * `complete` is a scan that read all there is to read. Pages that the store keeps visitors out of, or has not got, are no gap.
 *
 * @example conclude(material).score // 74
 */
export function conclude(material: ScanMaterial): Conclusion {
  const { host, readings, theme } = material;
  const { drifts, inventory } = compareWithBaseline(readings, material.previous, material.accepted);
  const found = joinFindings(readings, theme, drifts);
  const kept = gravest(found);
  const reason = reasonOf(material);
  const isDrift = ({ detail }: StoreFinding) => DRIFT.has(detail.finding.rule_id);
  const { score, breakdown } = scoreOf(
    found.filter(one => !isDrift(one)).map(({ detail }) => detail.finding),
    reason === null,
  );
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
      unseen: unseen(readings),
    },
    inventory,
    findings: kept.flatMap(({ fingerprint, detail, places }) =>
      places.map(place => ({
        ...{ fingerprint, ruleId: detail.finding.rule_id, severity: detail.finding.severity },
        ...{ place, detail },
      })),
    ),
    // Of what was left out nothing may be said to be gone.
    covered: kept.length < found.length ? [] : coveredPlaces(material),
  };
}

/** The gap that says most, or null when all was read. */
function reasonOf({ readings, theme, shut }: ScanMaterial): ScanReason | null {
  if (shut) return shut;
  const home = readings[0]!.coverage;
  if (home.state === 'password') return 'password';
  if (!readings[0]!.scan) return home.reason;
  if (theme.coverage.state === 'no_scope') return 'no_scope';
  if (theme.coverage.state !== 'read') return 'theme';
  if (readings.some(({ coverage }) => coverage.state === 'not_read' || coverage.state === 'password')) return 'pages';
  return readings.some(({ coverage }) => coverage.state === 'cut') ? 'scripts' : null;
}

/** What was read in full, and what is known not to be there any more. */
function coveredPlaces({ readings, theme, openPlaces }: ScanMaterial): readonly string[] {
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

const gravest = (found: readonly StoreFinding[]): readonly StoreFinding[] =>
  found.length <= MOST_FINDINGS
    ? found
    : found
        .toSorted((a, b) => SEVERITY[a.detail.finding.severity] - SEVERITY[b.detail.finding.severity])
        .slice(0, MOST_FINDINGS);

/** What is there and cannot be looked into. */
function unseen(readings: readonly PageReading[]): readonly Unseen[] {
  const inventories = readings.flatMap(({ scan }) => (scan ? [scan.inventory] : []));
  const containers = new Set(inventories.flatMap(({ containers }) => containers));
  const pixels = new Set(
    inventories.flatMap(({ tags }) =>
      tags.flatMap(({ channel, id, kind }) =>
        channel === 'custom_pixel' || channel === 'app_pixel' ? [`${kind} ${id ?? ''}`.trim()] : [],
      ),
    ),
  );
  return [
    ...(containers.size > 0 ? [{ what: 'tag_manager' as const, names: [...containers].sort() }] : []),
    ...(pixels.size > 0 ? [{ what: 'pixel_sandbox' as const, names: [...pixels].sort() }] : []),
    { what: 'checkout', names: [] },
  ];
}
