import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageRules, type Severity, scan } from '@compliance/core/pixel';
import reviewed from '../src/pixel/corpus/reviewed.json' with { type: 'json' };
import { captureOf } from '../src/pixel/testing/capture-of.ts';
import { searches } from './searches.ts';

const FOLDER = join(import.meta.dirname, '../../../../shared/data/pixel-corpus');

const CONTAINERS = join(import.meta.dirname, '../../../../shared/data/containers');

/** Message printed instead of measurements if the saved pages are missing. */
export const NO_CORPUS = 'no saved pages next to the checkout (../shared/data/pixel-corpus)';

/** A saved page and the rules expected to fire on it. */
export interface LabeledPage {
  readonly html: string;
  readonly expected: ReadonlySet<string>;
}

/** Counts of correct, incorrect, and missed findings for a rule or severity. Each rule counts at most once per page. */
export interface Tally {
  right: number;
  wrong: number;
  missed: number;
}

/**
 * Returns the saved pages, or null if they're missing. Because the labels are incomplete, findings confirmed in a
 * review also count as expected.
 */
export function labeledPages(): LabeledPage[] | null {
  if (!existsSync(FOLDER)) return null;
  const { pages }: { pages: { id: string; expected_rules: string[] }[] } = JSON.parse(
    readFileSync(join(FOLDER, 'labels.json'), 'utf8'),
  );
  return pages.map(({ id, expected_rules }) => ({
    html: readFileSync(join(FOLDER, 'pages', `${id}.html`), 'utf8'),
    expected: new Set([
      ...expected_rules,
      ...reviewed.flatMap(({ page, verdict, rule }) => (page === id && verdict === 'right' ? [rule] : [])),
    ]),
  }));
}

/** Returns the source code of the saved containers and Google tags, or null if they're missing. */
export function savedContainers(): string[] | null {
  if (!existsSync(CONTAINERS)) return null;
  return readdirSync(CONTAINERS)
    .sort()
    .map(file => readFileSync(join(CONTAINERS, file), 'utf8'));
}

/** Tallies of scan findings by rule and by severity, and of text search results by rule. */
export interface Tallies {
  readonly ours: Map<string, Tally>;
  readonly bySeverity: Map<Severity, Tally>;
  readonly theirs: Map<string, Tally>;
}

/**
 * Counts correct, incorrect, and missed findings. A finding counts toward its own severity, which can differ from the
 * severity of its rule. A missed finding is counted under the severity of its rule.
 */
export function tally(pages: readonly LabeledPage[]): Tallies {
  const tallies: Tallies = { ours: new Map(), bySeverity: new Map(), theirs: new Map() };
  for (const { html, expected } of pages) {
    const { findings } = scan(captureOf(html), { asOf: '2026-11-21' });
    for (const { meta } of pageRules) {
      // Findings are sorted by severity, so the first one is the most severe.
      const found = findings.find(({ rule_id }) => rule_id === meta.id);
      count(tallies.ours, meta.id, found !== undefined, expected.has(meta.id));
      count(tallies.bySeverity, found?.severity ?? meta.severity, found !== undefined, expected.has(meta.id));
    }
    for (const [rule, search] of Object.entries(searches)) {
      count(tallies.theirs, rule, search(html), expected.has(rule));
    }
  }
  return tallies;
}

function count<Key>(tallies: Map<Key, Tally>, key: Key, fired: boolean, expected: boolean): void {
  const tally = tallies.get(key) ?? { right: 0, wrong: 0, missed: 0 };
  tallies.set(key, tally);
  if (fired && expected) tally.right++;
  else if (fired) tally.wrong++;
  else if (expected) tally.missed++;
}

/**
 * Returns totals for only the rules that have a text search, so that the scan and the searches are compared on the same
 * rules.
 */
export function sumOfSearched(tallies: ReadonlyMap<string, Tally>): Tally {
  const sum = { right: 0, wrong: 0, missed: 0 };
  for (const [rule, { right, wrong, missed }] of tallies) {
    if (!Object.hasOwn(searches, rule)) continue;
    sum.right += right;
    sum.wrong += wrong;
    sum.missed += missed;
  }
  return sum;
}

/** Returns the precision: the fraction of reported findings that are correct, from 0 to 1. */
export const precision = ({ right, wrong }: Tally): number => right / (right + wrong);

/** Returns the recall: the fraction of expected findings that were reported, from 0 to 1. */
export const recall = ({ right, missed }: Tally): number => right / (right + missed);
