import { formatHtsCode } from './hts-code.ts';
import type { Nomenclature } from './nomenclature.ts';

/** Product details, in English, to compare with the HTS descriptions. */
export interface ProductText {
  readonly title: string;
  /** Product type, such as `Hardware`. */
  readonly type?: string | null | undefined;
  /** Material or other options, such as `Stainless steel / M8`. */
  readonly material?: string | null | undefined;
}

/**
 * A candidate HTS number for a product, found by comparing HTS descriptions with the product's text. The product
 * doesn't necessarily belong under this number.
 */
export interface CodeCandidate {
  /** 10-digit number in HTS format. */
  readonly hts: string;
  /** Descriptions from the heading down to the number. */
  readonly description: readonly string[];
  /** Words from the product's text, in lowercase and in their original order, that the description also contains. */
  readonly words: readonly string[];
}

/** Options for a candidate search. */
export interface CandidateOptions {
  /**
   * Digits of a short code. The candidates are numbers that start with these digits, including numbers that share no
   * words with the product.
   */
  readonly under?: string | undefined;
  /** Maximum number of candidates. The default is 5. */
  readonly limit?: number | undefined;
}

/** Finds candidates in one HTS edition. */
export type FindCandidates = (product: ProductText, options?: CandidateOptions) => CodeCandidate[];

/** Words that appear in descriptions and product text without describing an article. */
const STOP_WORDS = new Set(
  (
    'and any are box but each etc for from has have having its kind kinds made more nesoi new not one only other others pack ' +
    'pair per set than that the their thereof these this those two use used whether which with without small medium large'
  ).split(' '),
);

/** Matches an exclusion in a description, such as `other than knitted`. */
const EXCLUSION = /\b(?:other than|not including|except|excluding|not|without)\b[^,;:()]*/gi;

/** Weights of the words in each part of a product's text. A type, such as `Kitchen`, is less specific than a title. */
const WEIGHTS = { title: 1, material: 1, type: 0.5 };

/**
 * BM25 parameters: `k1` limits the effect of repeated words, and `b` sets how much a long description lowers the score.
 */
const BM25 = { k1: 1.2, b: 0.5 };

/** Minimum score of a candidate for a missing code, as a fraction of the best candidate's score. */
const MIN_SCORE = 0.5;

/**
 * Prepares a search for the numbers whose descriptions share the most distinctive words with a product's text. Words
 * are compared without plural endings, and a word that appears in fewer descriptions counts more (BM25). Words in
 * exclusions, such as `other than knitted`, don't count. The result shows only which words match: classification also
 * depends on the legal notes.
 *
 * Ranking algorithm: see “The Probabilistic Relevance Framework: BM25 and Beyond” (2009).
 *
 * @returns a function that returns the candidates, best first. For a short code (`under`), numbers that don't share a
 * word with the product's text come last, in schedule order. For a missing code, at most one number per 6-digit
 * subheading is returned, and numbers with less than half of the best candidate's score are omitted.
 * @example
 * const rows = [{ htsno: '7318.15.20.61', indent: '0', description: 'Bolts, of stainless steel' }];
 * const find = prepareCandidates(loadNomenclature(rows, 'HTS 2026 Revision 10'));
 * find({ title: 'Stainless hex bolt' })[0]?.words // ['stainless', 'bolt']
 */
export function prepareCandidates(nomenclature: Nomenclature): FindCandidates {
  const numbers = classifiable(nomenclature);
  const stemsOf = rowStems();
  const { postings, lengths, average } = indexOf(
    numbers.map(number => nomenclature.describe(number)!.flatMap(stemsOf)),
  );
  const rarity = (found: number) => Math.log(1 + (numbers.length - found + 0.5) / (found + 0.5));

  return (product, { under = '', limit = 5 } = {}) => {
    const scores = new Map<number, number>();
    const words = wordsOf(product);
    for (const { stem, weight } of words.values()) {
      const found = postings.get(stem) ?? [];
      for (const { at, times } of found) {
        if (!numbers[at]!.startsWith(under)) continue;
        const length = 1 - BM25.b + (BM25.b * lengths[at]!) / average;
        const score = (weight * rarity(found.length) * times * (BM25.k1 + 1)) / (times + BM25.k1 * length);
        scores.set(at, (scores.get(at) ?? 0) + score);
      }
    }
    const ranked = [...scores].sort(([a, x], [b, y]) => y - x || a - b);
    const chosen = under === '' ? bestOfEachSubheading(ranked, numbers) : withOthers(ranked, numbers, under);
    return chosen.slice(0, limit).map(at => {
      const digits = numbers[at]!;
      const description = nomenclature.describe(digits)!;
      const stems = new Set(description.flatMap(stemsOf));
      const shared = [...words].filter(([, { stem }]) => stems.has(stem)).map(([word]) => word);
      return { hts: formatHtsCode(digits), description, words: shared };
    });
  };
}

/**
 * Returns the 10-digit numbers that articles can be classified under, in schedule order. An undivided subheading gets
 * the suffix 00.
 */
function classifiable({ numbers }: Nomenclature): string[] {
  const divided = new Set(numbers.filter(({ length }) => length === 10).map(number => number.slice(0, 8)));
  return numbers
    .filter(number => number < '98' && (number.length === 10 || !divided.has(number)))
    .map(number => number.padEnd(10, '0'));
}

/**
 * Returns an inverted index that maps each stem to its count in each description, with the description lengths and the
 * average length.
 */
function indexOf(descriptions: readonly (readonly string[])[]) {
  const postings = new Map<string, { readonly at: number; times: number }[]>();
  descriptions.forEach((stems, at) => {
    for (const stem of stems) {
      const found = postings.get(stem) ?? [];
      const last = found.at(-1);
      if (last?.at === at) last.times++;
      else found.push({ at, times: 1 });
      postings.set(stem, found);
    }
  });
  const lengths = descriptions.map(({ length }) => length);
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return { postings, lengths, average };
}

function bestOfEachSubheading(ranked: readonly [at: number, score: number][], numbers: readonly string[]): number[] {
  const least = (ranked[0]?.[1] ?? 0) * MIN_SCORE;
  const bySubheading = new Map<string, number>();
  for (const [at, score] of ranked) {
    const subheading = numbers[at]!.slice(0, 6);
    if (score >= least && !bySubheading.has(subheading)) bySubheading.set(subheading, at);
  }
  return [...bySubheading.values()];
}

function withOthers(
  ranked: readonly [at: number, score: number][],
  numbers: readonly string[],
  under: string,
): number[] {
  const others = [...numbers.keys()].filter(at => numbers[at]!.startsWith(under));
  return [...new Set([...ranked.map(([at]) => at), ...others])];
}

/** Returns a product's words with their stems and weights. A word that occurs several times gets its highest weight. */
function wordsOf(product: ProductText): Map<string, { stem: string; weight: number }> {
  const words = new Map<string, { stem: string; weight: number }>();
  const known = new Set<string>();
  for (const part of ['title', 'material', 'type'] as const) {
    for (const word of lowercaseWords(product[part] ?? '')) {
      const stem = stemOf(word);
      if (!known.has(stem)) words.set(word, { stem, weight: WEIGHTS[part] });
      known.add(stem);
    }
  }
  return words;
}

/**
 * Returns a function that looks up the stems of a description row and caches them, because thousands of numbers share
 * rows such as `Other`.
 */
function rowStems(): (row: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return row => {
    const stems = known.get(row) ?? lowercaseWords(row.replace(EXCLUSION, ' ')).map(stemOf);
    known.set(row, stems);
    return stems;
  };
}

/** Returns the words with at least three letters, in lowercase and without accents. Omits stop words. */
function lowercaseWords(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return (plain.match(/[a-z]{3,}/g) ?? []).filter(word => !STOP_WORDS.has(word));
}

/** Removes a word's plural ending. */
function stemOf(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|ss|x|z)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && /[^sui]s$/.test(word)) return word.slice(0, -1);
  return word;
}
