/** Prints precision and recall per rule over the labelled pages, beside a search by regular expressions: `pnpm --filter @compliance/core corpus`. */
import { labelledPages, NO_CORPUS, precision, recall, sumOfSearched, type Tally, tally } from './corpus.ts';

const pages = labelledPages();
if (!pages) {
  console.log(`Nothing measured: ${NO_CORPUS}.`);
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
  `${pages.length} pages. right, wrong, missed, precision, recall; the scan, then a search by regular expressions`,
);
const { ours, theirs } = tally(pages);
for (const [rule, mine] of ours) {
  const other = theirs.get(rule);
  if (mine.right + mine.wrong + mine.missed + (other ? other.right + other.wrong : 0) > 0) row(rule, mine, other);
}
row('rules that both have', sumOfSearched(ours), sumOfSearched(theirs));
const all = { right: 0, wrong: 0, missed: 0 };
for (const one of ours.values()) for (const key of ['right', 'wrong', 'missed'] as const) all[key] += one[key];
row('all rules', all, undefined);
