import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageRules, scan } from '@compliance/core/pixel';
import reviewed from '../src/pixel/corpus/reviewed.json' with { type: 'json' };
import { captureOf } from '../src/pixel/testing/capture-of.ts';
import { searches } from './searches.ts';

const FOLDER = join(import.meta.dirname, '../../../../shared/data/pixel-corpus');

/** Why nothing is measured where there are no saved pages. */
export const NO_CORPUS = 'no saved pages beside the checkout (../shared/data/pixel-corpus)';

/** A saved page and the rules that must fire on it. */
export interface LabelledPage {
  readonly html: string;
  readonly expected: ReadonlySet<string>;
}

/** How often a rule fired rightly, wrongly, and was missed. */
export interface Tally {
  right: number;
  wrong: number;
  missed: number;
}

/** The saved pages, or null where there are none. What a review found right counts as expected: the labels are a lower bound. */
export function labelledPages(): LabelledPage[] | null {
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

/** What the scan and the searches find on the pages, by rule. */
export function tally(pages: readonly LabelledPage[]): { ours: Map<string, Tally>; theirs: Map<string, Tally> } {
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

/** The sum over those rules for which there is a search, so that ours and theirs are asked the same. */
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

/** Of what fired, how much was right; 0 to 1. */
export const precision = ({ right, wrong }: Tally): number => right / (right + wrong);

/** Of what should have fired, how much did; 0 to 1. */
export const recall = ({ right, missed }: Tally): number => right / (right + missed);
