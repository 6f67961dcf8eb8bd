import { appliesToOrigin } from '../dataset/alternatives.ts';
import { type Comparison, comparisonsOf, type Fact } from '../dataset/conditions.ts';
import type {
  AlternativeHeading,
  Dataset,
  DatedInterval,
  RateType,
  TariffList,
  Term,
  ValueBasis,
} from '../dataset/dataset.ts';
import type { DifferenceKind } from '../dataset/difference-kinds.ts';
import { COLUMN_2, includesOrigin } from '../dataset/origins.ts';
import { addDays, includesDate } from '../dates.ts';
import { type Phrase, type PrintedConditions, readConditions } from './printed-conditions.ts';
import { type PrintedHeading, type PrintedRate, parsePrintedRate } from './printed-headings.ts';

/** Inclusive range of dates in YYYY-MM-DD format. */
export interface Days {
  from: string;
  to: string;
}

/** A difference between the data set and an HTS edition for one heading during a range of days. */
export interface HeadingDifference {
  heading: string;
  kind: DifferenceKind;
  days: Days;
  /** The data set's value, as text. */
  ours: string;
  /** Text in the edition, or an empty string if the edition doesn't include the heading. */
  printed: string;
}

/**
 * The part of an edition that an extract includes. The extract's text for a heading doesn't include the rows that the
 * heading is indented under.
 */
export interface ExtractScope {
  /** Returns whether the extract includes headings that share a heading's first six digits. */
  covers: (heading: string) => boolean;
}

/** The parts of the data set that determine which headings apply. */
export type HeadingData = Pick<Dataset, 'lists' | 'headings' | 'conditions'>;

/** A use of a heading in the data set, either in a list's term or as an alternative heading. */
interface Use extends DatedInterval {
  rate_pct: number | null;
  rate_type: RateType;
  bases: ValueBasis[];
  lists: TariffList[];
  /** The alternative heading, or null for a list's own heading. */
  alternative: AlternativeHeading | null;
  /** The special case that a companion heading covers, or null for a main heading. */
  companion: 'privileged_foreign_status' | 'us_content' | null;
  when: readonly string[];
}

/** All uses of headings in the data set, by heading. */
export type HeadingUses = ReadonlyMap<string, readonly Use[]>;

/**
 * Returns every use of each heading in the data set, regardless of date.
 *
 * @example usesOf(DATASET).get('9903.94.41')?.[0]?.rate_pct // 15
 */
export function usesOf({ lists, headings }: HeadingData): HeadingUses {
  const uses = new Map<string, Use[]>();
  const add = (row: Pick<Term, 'headings' | 'companion_headings'>, use: Use) => {
    for (const heading of row.headings) uses.set(heading, [...(uses.get(heading) ?? []), use]);
    for (const { heading, applies_to: companion } of row.companion_headings ?? []) {
      const rate = companion === 'us_content' ? { rate_pct: 0, rate_type: 'none' as const } : {};
      uses.set(heading, [...(uses.get(heading) ?? []), { ...use, ...rate, companion }]);
    }
  };
  for (const list of lists) {
    for (const term of list.terms) {
      add(term, {
        ...term,
        bases: basesOf(term),
        lists: [list],
        alternative: null,
        companion: null,
        when: term.conditions ?? [],
      });
    }
  }
  for (const alternative of headings) {
    const own = lists.filter(({ id }) => alternative.lists.includes(id));
    for (const part of splitByTerms(alternative, own)) {
      add(alternative, { ...alternative, ...part, lists: own, alternative, companion: null });
    }
  }
  return uses;
}

/** Returns every value basis that a term uses for at least one chapter. */
const basesOf = ({ value_basis, full_value_chapters }: Term): ValueBasis[] =>
  full_value_chapters ? [value_basis, 'full_customs_value'] : [value_basis];

/**
 * Splits an alternative heading's date range wherever a term of its lists starts or ends, unless the heading has its
 * own value basis.
 */
function splitByTerms(
  alternative: AlternativeHeading,
  lists: readonly TariffList[],
): { effective_from: string; effective_to: string | null; bases: ValueBasis[] }[] {
  if (alternative.value_basis)
    return [
      {
        effective_from: alternative.effective_from,
        effective_to: alternative.effective_to,
        bases: [alternative.value_basis],
      },
    ];
  const terms = lists.flatMap(list => list.terms);
  return segmentsOf(terms, { from: alternative.effective_from, to: alternative.effective_to ?? '9999-12-31' }).map(
    ({ from, to }) => ({
      effective_from: from,
      effective_to: to === '9999-12-31' ? null : to,
      bases: terms.filter(term => includesDate(term, from)).flatMap(basesOf),
    }),
  );
}

/**
 * Splits a range of days wherever an interval starts or ends, so that the same intervals apply throughout each part.
 */
function segmentsOf(
  intervals: readonly { effective_from: string; effective_to: string | null }[],
  { from, to }: Days,
): Days[] {
  const starts = new Set([from]);
  for (const { effective_from, effective_to } of intervals) {
    for (const start of [effective_from, effective_to === null ? null : addDays(effective_to, 1)]) {
      if (start !== null && start > from && start <= to) starts.add(start);
    }
  }
  const sorted = [...starts].sort();
  return sorted.map((start, i) => ({ from: start, to: i + 1 < sorted.length ? addDays(sorted[i + 1]!, -1) : to }));
}

/**
 * Compares every heading in the data set with an HTS edition on each of the given days. The comparison covers whether
 * the heading applies, its rate in all columns, and the value that the rate applies to. The comparison also covers the
 * countries, the subdivisions of note 16(c), and the conditions that the text states in standard phrases. Headings that
 * aren't in the data set are skipped.
 *
 * @param printed the headings printed in the edition
 * @param extract the part of the edition that an extract includes, or null for a complete edition
 * @returns the differences and the compared headings
 */
export function compareHeadings(
  printed: readonly PrintedHeading[],
  days: Days,
  data: HeadingData,
  uses: HeadingUses = usesOf(data),
  extract: ExtractScope | null = null,
): { compared: string[]; differences: HeadingDifference[] } {
  const byHeading = new Map<string, PrintedHeading[]>();
  for (const row of printed) byHeading.set(row.heading, [...(byHeading.get(row.heading) ?? []), row]);
  const compared: string[] = [];
  const differences: HeadingDifference[] = [];
  for (const [heading, all] of [...uses].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const rows = byHeading.get(heading) ?? [];
    if (rows.length === 0 && ((extract && !extract.covers(heading)) || !all.some(use => overlaps(use, days)))) continue;
    compared.push(heading);
    const parts = segmentsOf(all, days).flatMap(part => {
      const inForce = all.filter(use => includesDate(use, part.from));
      if (rows.length === 0)
        return inForce.length === 0
          ? []
          : [{ kind: 'not_printed' as const, days: part, ours: wordsOf(inForce), printed: '' }];
      const outside =
        inForce.length > 0
          ? []
          : [
              {
                kind: 'not_in_force' as const,
                days: part,
                ours: `applies ${all.map(intervalWords).join(' and ')}`,
                printed: rows[0]!.general,
              },
            ];
      const [stated, on] = inForce.length > 0 ? [inForce, part.from] : nearest(all, part.from);
      const found = rows.flatMap(row => compareText(row, stated, data, on, extract !== null));
      return [...outside, ...found.map(difference => ({ ...difference, days: part }))];
    });
    for (const part of parts) {
      const last = differences.at(-1);
      const continues =
        last?.heading === heading &&
        last.kind === part.kind &&
        last.printed === part.printed &&
        addDays(last.days.to, 1) === part.days.from;
      if (continues && (part.kind === 'not_printed' || last.ours === part.ours)) last.days.to = part.days.to;
      else differences.push({ heading, ...part, days: { ...part.days } });
    }
  }
  return { compared, differences };
}

const overlaps = ({ effective_from, effective_to }: Use, { from, to }: Days): boolean =>
  effective_from <= to && (effective_to === null || effective_to >= from);

const intervalWords = ({ effective_from, effective_to }: Use): string =>
  `${effective_from} to ${effective_to ?? 'today'}`;

/**
 * Returns the last day before a date when the heading was in force, and the heading's uses on that day. If the
 * heading wasn't in force before the date, the heading's first day in force is used instead.
 */
function nearest(all: readonly Use[], date: string): [Use[], string] {
  const ends = all.flatMap(({ effective_to }) => (effective_to !== null && effective_to < date ? [effective_to] : []));
  const day = ends.sort().at(-1) ?? all.map(({ effective_from }) => effective_from).sort()[0]!;
  return [all.filter(use => includesDate(use, day)), day];
}

type TextDifference = Omit<HeadingDifference, 'heading' | 'days'>;

function compareText(
  row: PrintedHeading,
  uses: readonly Use[],
  data: HeadingData,
  date: string,
  isExtract: boolean,
): TextDifference[] {
  const columns = [row.general, row.special, row.other].map(parsePrintedRate);
  const unreadable = [row.general, row.special, row.other].filter((_, i) => columns[i] === null);
  if (unreadable.length > 0) return [{ kind: 'unreadable', ours: wordsOf(uses), printed: unreadable.join(' / ') }];
  const [general, special, other] = columns as [PrintedRate, PrintedRate, PrintedRate];
  const conditions = readConditions(row.text);
  return [
    ...compareRates(row, general, special, uses, data),
    ...compareColumns(row, general, special, other, uses, data, date),
    ...compareCountries(conditions, uses, data, date, isExtract),
    ...compareConditions(conditions, uses, data),
  ];
}

/**
 * Returns the column 1 rate that applies to the heading's goods: the special rate if only column 1 special states a
 * rate, or the general rate otherwise.
 */
const ownRate = (general: PrintedRate, special: PrintedRate): PrintedRate =>
  general.type === 'none' && (special.type === 'additional' || special.type === 'total') ? special : general;

function compareRates(
  row: PrintedHeading,
  general: PrintedRate,
  special: PrintedRate,
  uses: readonly Use[],
  data: HeadingData,
): TextDifference[] {
  const rate = ownRate(general, special);
  const printed = rate === general ? row.general : row.special;
  const wrong = uses.filter(use => !sameRate(use, rate, uses, data));
  if (wrong.length > 0) return [{ kind: 'rate', ours: wordsOf(wrong), printed }];
  const bases = new Set(uses.filter(use => use.rate_type === 'additional').flatMap(use => use.bases));
  if (rate.type !== 'additional' || (bases.size === 1 && bases.has(rate.basis))) return [];
  return [{ kind: 'value_basis', ours: [...bases].sort().join(', '), printed }];
}

function sameRate(use: Use, rate: PrintedRate, all: readonly Use[], data: HeadingData): boolean {
  const { rate_pct, rate_type } = use;
  if (rate_type === 'additional')
    return rate_pct === 0 ? rate.type === 'none' : rate.type === 'additional' && rate.pct === rate_pct;
  if (rate_type === 'total_floor') return rate.type === 'total' && rate.pct === rate_pct;
  if (rate.type === 'none') return true;
  // A minimum total rate adds no duty if the column 1 rate is at least as high.
  const reaches = factsOf(use, data).some(
    test =>
      test.fact === 'column1_rate_pct' && 'at_least' in test && rate.type === 'total' && test.at_least === rate.pct,
  );
  return reaches && all.some(({ rate_type: other }) => other === 'total_floor');
}

/**
 * Countries whose goods aren't eligible for a column 1 special rate, so "No change" in that column doesn't affect their
 * goods.
 */
const WITHOUT_SPECIAL_RATES: readonly string[] = ['GB', 'EU'];

function compareColumns(
  row: PrintedHeading,
  general: PrintedRate,
  special: PrintedRate,
  other: PrintedRate,
  uses: readonly Use[],
  data: HeadingData,
  date: string,
): TextDifference[] {
  const rate = ownRate(general, special);
  const wrong: string[] = [];
  if (rate === special) {
    const preferential = uses.every(use =>
      factsOf(use, data).some(test => test.fact === 'usmca_qualifying' && 'is' in test && test.is === true),
    );
    if (!preferential) wrong.push('column 1 general applies');
  } else if (special.type !== 'blank' && !equalRates(special, general)) {
    const concerned = uses.some(
      ({ alternative }) => !alternative?.origins?.every(origin => WITHOUT_SPECIAL_RATES.includes(origin)),
    );
    if (special.type !== 'none' || concerned) wrong.push('column 1 special applies');
  }
  const reached = COLUMN_2.filter(country => uses.some(use => appliesByDefault(use, country, data, date)));
  if (
    reached.length > 0
      ? !equalRates(other, general)
      : !(equalRates(other, general) || other.type === 'none' || other.type === 'blank')
  ) {
    wrong.push(`column 2 applies (${reached.join(', ')})`);
  }
  return wrong.map(ours => ({ kind: 'column', ours, printed: [row.general, row.special, row.other].join(' | ') }));
}

const equalRates = (a: PrintedRate, b: PrintedRate): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Returns whether a use can apply to a country's goods. An earlier heading for the same list takes precedence if it
 * applies to all of the country's goods.
 */
function appliesByDefault(use: Use, country: string, { headings }: HeadingData, date: string): boolean {
  if (use.alternative && !appliesToOrigin(use.alternative, country)) return false;
  return use.lists.some(list => {
    const before = headings.slice(0, use.alternative ? headings.indexOf(use.alternative) : headings.length);
    return !before.some(
      heading =>
        heading.lists.includes(list.id) &&
        heading.origins !== undefined &&
        heading.when.length === 0 &&
        includesDate(heading, date) &&
        appliesToOrigin(heading, country),
    );
  });
}

function compareCountries(
  conditions: PrintedConditions,
  uses: readonly Use[],
  data: HeadingData,
  date: string,
  isExtract: boolean,
): TextDifference[] {
  const ours = new Set(uses.flatMap(use => countriesOf(use, data)));
  const elsewhere = exceptedUses(conditions, data, date).flatMap(({ origins, when }) =>
    origins && when.length === 0 ? origins : [],
  );
  const named = conditions.countries.filter(
    country => conditions.countries.length === 1 || !elsewhere.includes(country) || ours.has(country),
  );
  const found: TextDifference[] = [];
  if (
    named.length > 0 &&
    (named.some(country => !ours.has(country)) || [...ours].some(country => !named.includes(country)))
  ) {
    found.push({
      kind: 'country',
      ours: [...ours].sort().join(', ') || 'any country',
      printed: `products of ${named.sort().join(', ')}`,
    });
  }
  // An extract omits a heading's parent rows, which might name the heading's countries.
  const limited = uses.filter(use => use.alternative?.origins);
  if (named.length === 0 && limited.length > 0 && !isExtract) {
    const countries = new Set(limited.flatMap(use => countriesOf(use, data)));
    found.push({ kind: 'country', ours: [...countries].sort().join(', '), printed: 'any country' });
  }
  const included = conditions.excepted.filter(
    country =>
      !uses.every(use =>
        use.lists.every(list =>
          data.headings.some(
            heading =>
              heading !== use.alternative &&
              heading.lists.includes(list.id) &&
              includesDate(heading, date) &&
              heading.origins !== undefined &&
              includesOrigin(heading.origins, country),
          ),
        ),
      ),
  );
  if (included.length > 0) {
    found.push({
      kind: 'country',
      ours: `no exception for ${included.join(', ')}`,
      printed: `except products of ${conditions.excepted.join(', ')}`,
    });
  }
  return found;
}

/** Returns the alternative headings that a heading's text lists as exceptions. */
function exceptedUses(
  { exceptedHeadings }: PrintedConditions,
  { headings }: HeadingData,
  date: string,
): AlternativeHeading[] {
  return headings.filter(
    heading => includesDate(heading, date) && heading.headings.some(number => exceptedHeadings.includes(number)),
  );
}

/**
 * Returns a use's countries of origin. If the use isn't limited by origin, returns the countries that its smelting,
 * casting, melting, and pouring conditions name.
 */
function countriesOf(use: Use, data: HeadingData): string[] {
  const facts: Fact[] = ['smelted_or_cast_in', 'melted_and_poured_in'];
  const metal = use.alternative?.origins
    ? []
    : factsOf(use, data).flatMap(test =>
        facts.includes(test.fact) && 'is' in test && test.is !== 'unknown' ? [String(test.is)] : [],
      );
  return [...(use.alternative?.origins ?? []), ...metal];
}

const factsOf = ({ when }: Use, { conditions }: HeadingData): Comparison[] =>
  when.flatMap(id => comparisonsOf(conditions[id]!.test));

/**
 * Functions that check, for each standard phrase, whether a comparison in the data set expresses the phrase's
 * condition.
 */
const FACT_OF_PHRASE: Record<Phrase, (test: Comparison) => boolean> = {
  'less than 15 percent of the weight': test =>
    test.fact === 'metal_weight_pct' && 'less_than' in test && test.less_than === 15,
  'no aluminum, steel, or copper': test => test.fact === 'metal_weight_pct' && 'at_most' in test && test.at_most === 0,
  'quota quantity': test => test.fact === 'quota',
  'exclusion by the Secretary of Commerce': test => test.fact === 'commerce_authorization',
  'relief from a quantitative limitation': test => test.fact === 'commerce_authorization',
  'metal of US origin': test => test.fact === 'us_metal_pct',
  'metal smelted or cast in Russia': test => test.fact === 'smelted_or_cast_in' && 'is' in test && test.is === 'RU',
  'motorcycle parts': test => test.fact === 'end_use' && 'is' in test && test.is === 'motorcycle_part',
};

function compareConditions(conditions: PrintedConditions, uses: readonly Use[], data: HeadingData): TextDifference[] {
  const { column1AtLeast, column1LessThan, phrases, privilegedForeignStatus, subdivisions16c } = conditions;
  const facts = uses.map(use => factsOf(use, data));
  const found: TextDifference[] = [];
  const expect = (holds: boolean, ours: string, printed: string) => {
    if (!holds) found.push({ kind: 'condition', ours, printed });
  };
  const limits = facts.map(tests =>
    tests.flatMap(test => (test.fact === 'column1_rate_pct' && 'at_least' in test ? [test.at_least] : [])),
  );
  const floors = uses.flatMap(({ rate_type, rate_pct }) => (rate_type === 'total_floor' ? [rate_pct] : []));
  if (column1AtLeast !== null) {
    expect(
      limits.every(own => own.includes(column1AtLeast)),
      'no such condition on the column 1 rate',
      `column 1 rate equal to or greater than ${column1AtLeast} percent`,
    );
  } else {
    expect(
      limits.every(own => own.length === 0) || floors.length > 0,
      `column 1 rate equal to or greater than ${[...new Set(limits.flat())].join(', ')} percent`,
      'no condition on the column 1 rate',
    );
  }
  if (column1LessThan !== null) {
    expect(
      uses.every(use => use.rate_type === 'total_floor' && use.rate_pct === column1LessThan),
      wordsOf(uses),
      `column 1 rate less than ${column1LessThan} percent`,
    );
  }
  if (subdivisions16c.length > 0) {
    const ours = uses.flatMap(({ lists }) =>
      lists.flatMap(({ note }) => /note 16\(c\)\((\w+)\)/.exec(note)?.[1] ?? []),
    );
    const words = (numerals: readonly string[]) => `note 16(c) ${[...new Set(numerals)].sort().join(', ')}`;
    expect(words(ours) === words(subdivisions16c), words(ours), words(subdivisions16c));
  }
  for (const phrase of phrases) {
    expect(
      facts.some(tests => tests.some(FACT_OF_PHRASE[phrase])),
      'no such condition',
      phrase,
    );
  }
  expect(
    uses.every(({ companion }) => (companion === 'privileged_foreign_status') === privilegedForeignStatus),
    privilegedForeignStatus ? 'no such condition' : 'privileged foreign status',
    privilegedForeignStatus ? 'privileged foreign status' : 'no condition on foreign trade zones',
  );
  return found;
}

/** Describes each distinct rate among the uses, for example `additional 25%` or `total_floor 15%`. */
function wordsOf(uses: readonly Use[]): string {
  return [
    ...new Set(
      uses.map(({ rate_type, rate_pct }) => (rate_type === 'none' ? 'none' : `${rate_type} ${rate_pct ?? '?'}%`)),
    ),
  ].join(', ');
}
