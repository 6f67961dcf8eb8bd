import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageRules, scan } from '@compliance/core/pixel';
import reviewed from '../src/pixel/corpus/reviewed.json' with { type: 'json' };
import { captureOf } from '../src/pixel/testing/capture-of.ts';
import { searches } from './searches.ts';

const FOLDER = join(import.meta.dirname, '../../../../shared/data/pixel-corpus');

const CONTAINERS = join(import.meta.dirname, '../../../../shared/data/containers');

/** Message that is printed instead of measurements if the saved pages are missing. */
export const NO_CORPUS = 'no saved pages next to the checkout (../shared/data/pixel-corpus)';

/** A saved page and the rules expected to fire on it. */
export interface LabeledPage {
  readonly html: string;
  readonly expected: ReadonlySet<string>;
}

/** For one rule, the number of pages with a correct finding, an incorrect finding, or a missed finding. */
export interface Tally {
  right: number;
  wrong: number;
  missed: number;
}

/**
 * Returns the saved pages, or null if they're missing. Because the labels are incomplete, findings confirmed in a review also
 * count as expected.
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

/** Returns the sources of the saved containers and Google tags, or null if they're missing. */
export function savedContainers(): string[] | null {
  if (!existsSync(CONTAINERS)) return null;
  return readdirSync(CONTAINERS)
    .sort()
    .map(file => readFileSync(join(CONTAINERS, file), 'utf8'));
}

/** Counts correct, incorrect, and missed findings by rule for both the scan and the text searches. */
export function tally(pages: readonly LabeledPage[]): { ours: Map<string, Tally>; theirs: Map<string, Tally> } {
  const ours = new Map<string, Tally>();
  const theirs = new Map<string, Tally>();
  for (const { html, expected } of pages) {
    const { findings } = scan(captureOf(html), { asOf: '2026-11-21' });
    const fired = new Set(findings.map(({ rule_id }) => rule_id));
    for (const { meta } of pageRules) count(ours, meta.id, fired.has(meta.id), expected.has(meta.id));
    for (const [rule, search] of Object.entries(searches)) count(theirs, rule, search(html), expected.has(rule));
  }
  return { ours, theirs };
}

function count(tallies: Map<string, Tally>, rule: string, fired: boolean, expected: boolean): void {
  const tally = tallies.get(rule) ?? { right: 0, wrong: 0, missed: 0 };
  tallies.set(rule, tally);
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

/** Returns the share of reported findings that are correct, from 0 to 1. */
export const precision = ({ right, wrong }: Tally): number => right / (right + wrong);

/** Returns the share of expected findings that were reported, from 0 to 1. */
export const recall = ({ right, missed }: Tally): number => right / (right + missed);
