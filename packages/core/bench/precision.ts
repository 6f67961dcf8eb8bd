/**
 * Prints the precision and recall of each rule and severity on the labeled pages, and the same metrics for a regular
 * expression search. Usage: `pnpm --filter @compliance/core corpus`.
 */
import { labeledPages, NO_CORPUS, precision, recall, sumOfSearched, type Tally, tally } from './corpus.ts';

const pages = labeledPages();
if (!pages) {
  console.log(`Nothing was measured: ${NO_CORPUS}.`);
  process.exit(0);
}

const share = (value: number): string => (Number.isNaN(value) ? '–' : `${Math.round(100 * value)}%`).padStart(4);
const cells = (one: Tally): string =>
  [...[one.right, one.wrong, one.missed].map(n => `${n}`.padStart(3)), share(precision(one)), share(recall(one))].join(
    ' ',
  );
const row = (name: string, ours: Tally, theirs: Tally | undefined): void =>
  console.log(`${name.padEnd(36)} ${cells(ours)}   | ${theirs ? cells(theirs) : ''}`);

console.log(
  `${pages.length} pages. Columns: true positives, false positives, false negatives, precision, and recall, first for the scan and then for a regular expression search`,
);
const { ours, bySeverity, theirs } = tally(pages);
for (const [rule, mine] of ours) {
  const other = theirs.get(rule);
  if (mine.right + mine.wrong + mine.missed + (other ? other.right + other.wrong : 0) > 0) row(rule, mine, other);
}
row('rules that both methods support', sumOfSearched(ours), sumOfSearched(theirs));
const all = { right: 0, wrong: 0, missed: 0 };
for (const one of ours.values()) for (const key of ['right', 'wrong', 'missed'] as const) all[key] += one[key];
row('all rules', all, undefined);
for (const severity of ['error', 'warn', 'info'] as const)
  row(severity, bySeverity.get(severity) ?? { right: 0, wrong: 0, missed: 0 }, undefined);
