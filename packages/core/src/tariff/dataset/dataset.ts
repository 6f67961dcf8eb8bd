import type { ConditionDefinition } from './conditions.ts';
import { DATASET_JSON } from './dataset.gen.ts';
import type { DifferenceKind, Reason } from './difference-kinds.ts';
import type { Program } from './programs.ts';

/** Whether a list contains a program's primary articles (`article`) or derivative articles (`derivative`). */
export type Role = 'article' | 'derivative';

/**
 * How a rate applies. `additional` means that the duty is added to the column 1 duty. `total_floor` means that an
 * additional duty raises the total duty to the rate unless the column 1 rate is already at least as high. `none` means
 * that no additional duty applies.
 */
export type RateType = 'additional' | 'total_floor' | 'none';

/** The part of an article's value that a rate applies to. */
export type ValueBasis = 'full_customs_value' | 'metal_content_value' | 'copper_content_value' | 'non_us_content_value';

/**
 * A duty's Chapter 99 headings and its rate as a percentage. `rate_pct` is null if our sources don't state the rate.
 */
export interface Duty {
  headings: string[];
  rate_pct: number | null;
  rate_type: RateType;
  value_basis: ValueBasis;
}

/**
 * An inclusive range of dates of entry for consumption, in YYYY-MM-DD format. `effective_to` is null if the range is
 * open-ended.
 */
export interface Interval {
  effective_from: string;
  effective_to: string | null;
}

/**
 * Basis for the first date of an interval. A `legal` date is from the cited act. A `first_printed` date is from the
 * first HTS edition that includes the heading or provision, so the heading or provision might have taken effect
 * earlier.
 */
export type DateBasis = { legal: string } | { first_printed: string };

/** An interval with the basis for its first date. */
export interface DatedInterval extends Interval {
  dated_by: DateBasis;
}

/**
 * A companion to the main heading of a `Term` or an `AlternativeHeading`. `privileged_foreign_status` means that the
 * companion heading covers the same goods at the same rate if they were admitted to a foreign trade zone in privileged
 * foreign status before the rate applied. `us_content` means that the companion heading covers the US content of the
 * goods without an additional duty, and the main heading's rate applies to the rest of the content.
 */
interface CompanionHeading {
  heading: string;
  applies_to: 'privileged_foreign_status' | 'us_content';
}

/** The duty on a list's provisions during a date range. */
export interface Term extends DatedInterval, Duty {
  /** The U.S. note that contained the list during this term, if different from `TariffList.note`. */
  note?: string;
  annex: string | null;
  citation: string;
  sources: string[];
  conditions?: string[];
  caveats?: string[];
  /** Headings for the same goods in special cases that `assess` doesn't model. */
  companion_headings?: CompanionHeading[];
  /** Chapters whose articles are dutiable on the full customs value, regardless of `value_basis`. */
  full_value_chapters?: string[];
}

/** Provisions that share the same first and last dates on a list. */
export interface Batch extends DatedInterval {
  citation: string;
  sources: string[];
  caveats?: string[];
  provisions: (string | { hts: string; conditions?: string[]; caveats?: string[] })[];
}

/** A list of HTS provisions from a proclamation or a U.S. note to Chapter 99. */
export interface TariffList {
  id: string;
  title: string;
  program: Program;
  role: Role;
  note: string;
  /**
   * Earliest date for which the provisions were verified against an official text that was current on that date. Set
   * only if earlier dates weren't verified.
   */
  membership_verified_from?: string;
  /** Whether the list is a draft that isn't part of the data set yet. */
  draft?: true;
  terms: Term[];
  batches: Batch[];
}

/** A Chapter 99 heading that replaces a list's own heading for certain origins or if certain facts apply. */
export interface AlternativeHeading extends DatedInterval {
  headings: string[];
  /** Headings for the same goods in special cases that `assess` doesn't model. */
  companion_headings?: CompanionHeading[];
  rate_pct: number | null;
  rate_type: RateType;
  lists: string[];
  origins?: string[];
  except_origins?: string[];
  chapters?: string[];
  /** HTS headings and subheadings that the alternative heading is limited to, as digits without dots. */
  codes?: string[];
  /** Lists whose provisions are excluded from this heading, even if a list in `lists` includes the same provisions. */
  unless_listed?: string[];
  when: string[];
  value_basis?: ValueBasis;
  /** The maximum percentage of the customs value that can count as US content. The default is 100. */
  us_content_cap_pct?: number;
  /**
   * The duty's program, if different from the lists' program. For example, a certified automobile part isn't a steel
   * article.
   */
  program?: Program;
  /**
   * Set if the heading exempts the article from the program. In that case, the program doesn't exclude other programs'
   * duties.
   */
  exempt?: true;
  /**
   * Set if CBP requires filers to report the total rate under this heading and no duty under the classification in
   * chapters 1 to 97.
   */
  filed?: 'whole_rate';
  caveats?: string[];
  citation: string;
  sources: string[];
}

/** An official removal of provisions from the lists. */
export interface Removal {
  id: string;
  title: string;
  effective: string;
  citation: string;
  sources: string[];
  removed: Partial<Record<Program, string[]>>;
}

/**
 * A source document for facts in the data set. `reading` indicates whether we used the official text, a derived copy,
 * or a secondary source.
 */
export interface Source {
  title: string;
  address: string;
  reading: 'official' | 'derived' | 'second_hand';
  note?: string;
}

/**
 * Relation between the duties of two programs that list the same article. `excludes` means that the first program's
 * duty replaces the second program's duty. `one_heading` means that the duty is owed under only one of the two
 * programs' headings. `both` means that both duties are owed, each on its own value basis. `use_decides` means that the
 * article's use or type determines which program applies. `not_established` means that no reviewed source establishes
 * the relation.
 */
export type StackingRelation = 'excludes' | 'one_heading' | 'both' | 'use_decides' | 'not_established';

/** Relation between the duties of each program in `program` and the duties of each program in `others`. */
export interface Stacking extends DatedInterval {
  program: Program[];
  relation: StackingRelation;
  others: Program[];
  /** A sentence that describes the relation. */
  text: string;
  citation: string;
  sources: string[];
}

/** An HTS edition and its publication date, which is also the edition's effective date. */
export interface Edition {
  /** Edition name, such as `2025 Revision 4`. */
  edition: string;
  published: string;
  source: string;
}

/** Headings and U.S. notes in subchapter III of Chapter 99 that are based on an authority other than Section 232. */
export interface OtherAuthority {
  authority: string;
  notes: number[];
  headings: string[];
  source: string;
  /** Date when the entry was reviewed. */
  reviewed: string;
}

/** A difference between the data set and certain HTS editions, with the reviewed reason why the data set is correct. */
export interface ReviewedDifference {
  headings: string[];
  /** First and last editions in which the difference occurs. */
  editions: [first: string, last: string];
  kind: DifferenceKind;
  /** The data set's value, as text. If absent, any value matches. */
  ours?: string;
  /** The text printed in the editions. If absent, any text matches. */
  printed?: string;
  reason: Reason;
  text: string;
  source: string;
  /** Date when the entry was reviewed. */
  reviewed: string;
}

/** A subdivision of a U.S. note that enumerates codes but doesn't belong to any list. */
export interface ReviewedNote {
  /** Subdivision name, such as `33(j)`. The entry also covers nested subdivisions. */
  subdivision: string;
  text: string;
  source: string;
  /** Date when the entry was reviewed. */
  reviewed: string;
}

/** The reviewed facts that a comparison with official texts needs in addition to the lists. */
export interface Reviewed {
  editions: Edition[];
  otherAuthorities: OtherAuthority[];
  differences: ReviewedDifference[];
  notes: ReviewedNote[];
}

/**
 * A data set of dated Section 232 lists. Functions accept only the bundled data set and data sets from `loadDataset`.
 * Treat data sets as read-only.
 */
export interface Dataset {
  /** Format version, such as `1.0`. */
  format: string;
  /** Calendar version of the data, such as `2026.11.1`: year, month, and release number within the month. */
  version: string;
  /** Date through which the lists are current, in YYYY-MM-DD format. */
  known_through: string;
  /** The newest official text included in the data set. */
  latest_material: string;
  /** SHA-256 hash of the data set's JSON text without this field. */
  sha256: string;
  /** Display name of each program, by ID. */
  programs: Record<Program, string>;
  lists: TariffList[];
  headings: AlternativeHeading[];
  removals: Removal[];
  stacking: Stacking[];
  sources: Record<string, Source>;
  conditions: Record<string, ConditionDefinition>;
  caveats: Record<string, string>;
  /** Reviewed facts for comparisons with official texts. The bundled data set stores these facts separately. */
  reviewed?: Reviewed;
}

/** Fields that identify the data set that a result is based on. */
export interface DatasetName {
  version: string;
  known_through: string;
  sha256: string;
}

/** The data set in this release. */
export const DATASET: Dataset = JSON.parse(DATASET_JSON);

/**
 * Returns the fields that identify a data set.
 *
 * @example nameOf(DATASET).version // '2026.11.1'
 */
export function nameOf({ version, known_through, sha256 }: Dataset): DatasetName {
  return { version, known_through, sha256 };
}

/**
 * Returns the display name of a program. If the program isn't in the data set, returns its ID with spaces instead of
 * underscores.
 *
 * @example programName('auto_parts') // 'auto parts'
 */
export function programName(program: Program, { programs }: Dataset = DATASET): string {
  return Object.hasOwn(programs, program) ? programs[program]! : program.replaceAll('_', ' ');
}
