import type { ConditionDefinition } from './conditions.ts';
import { DATASET_JSON } from './dataset.gen.ts';
import type { Program } from './programs.ts';

/** Whether a list contains a program's primary articles (`article`) or derivative articles (`derivative`). */
export type Role = 'article' | 'derivative';

/**
 * How a rate applies. With `additional`, it's added to the column 1 duty. With `total_floor`, an additional duty raises
 * the total to the rate, unless the column 1 duty alone reaches it. With `none`, no additional duty applies.
 */
export type RateType = 'additional' | 'total_floor' | 'none';

/** The part of an article's value that a rate applies to. */
export type ValueBasis = 'full_customs_value' | 'metal_content_value' | 'copper_content_value' | 'non_us_content_value';

/** A duty's Chapter 99 headings and its rate in percent. `rate_pct` is null if our sources don't state the rate. */
export interface Duty {
  headings: string[];
  rate_pct: number | null;
  rate_type: RateType;
  value_basis: ValueBasis;
}

/**
 * An inclusive range of entry dates for consumption, in YYYY-MM-DD format. `effective_to` is null if the range is
 * open-ended.
 */
export interface Interval {
  effective_from: string;
  effective_to: string | null;
}

/**
 * How the first date of an interval is known: `legal` from an act, cited; `first_printed` from the HTS edition that first
 * printed it, so the legal date may be earlier.
 */
export type DateBasis = { legal: string } | { first_printed: string };

/** An interval, with the basis of its first date. */
export interface DatedInterval extends Interval {
  dated_by: DateBasis;
}

/**
 * A heading that goes with a row's own heading. `privileged_foreign_status`: the same goods at the same rate, admitted to a
 * foreign trade zone in privileged foreign status before the rate applied. `us_content`: the US content of the goods, without
 * an additional duty, where the row's own rate applies to the rest.
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
  /** Headings for the same goods in a special case that isn't a fact of `assess`. */
  companion_headings?: CompanionHeading[];
  /** Chapters whose articles are dutiable on the full customs value, whatever `value_basis` is. */
  full_value_chapters?: string[];
}

/** Provisions added to and removed from a list on the same dates. */
export interface Batch extends DatedInterval {
  citation: string;
  sources: string[];
  caveats?: string[];
  provisions: (string | { hts: string; conditions?: string[]; caveats?: string[] })[];
}

/** A list of HTS provisions from a proclamation or a U.S. note to chapter 99. */
export interface TariffList {
  id: string;
  title: string;
  program: Program;
  role: Role;
  note: string;
  /**
   * First date for which the provisions were verified in a text published at the time, if earlier dates weren't
   * verified.
   */
  membership_verified_from?: string;
  /** Whether the list is a draft that isn't part of the data set yet. */
  draft?: true;
  terms: Term[];
  batches: Batch[];
}

/** A Chapter 99 heading that applies instead of a list's own heading for certain origins or facts. */
export interface AlternativeHeading extends DatedInterval {
  headings: string[];
  /** Headings for the same goods in a special case that isn't a fact of `assess`. */
  companion_headings?: CompanionHeading[];
  rate_pct: number | null;
  rate_type: RateType;
  lists: string[];
  origins?: string[];
  except_origins?: string[];
  chapters?: string[];
  /** Headings and subheadings, as digits, if the heading applies only to codes under them. */
  codes?: string[];
  /** Lists whose provisions this heading never applies to, even if a list in `lists` has them too. */
  unless_listed?: string[];
  when: string[];
  value_basis?: ValueBasis;
  /** The highest share of the customs value, in percent, that counts as US content. The default is 100. */
  us_content_cap_pct?: number;
  /** The program of the duty, if it isn't the lists' own: a certified automobile part isn't a steel article. */
  program?: Program;
  /** Set if the article isn't subject to the program, so that the program excludes no other. */
  exempt?: true;
  /** Set if CBP wants the whole total rate on this heading and none on the classification in chapters 1 to 97. */
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
 * How the duties of two programs relate on an article that both list. `excludes`: the first program's duty replaces the
 * second's. `one_heading`: the article has one heading of the two. `both`: both duties are owed, each on its own base.
 * `use_decides`: the article's use or type makes it an article of one program. `not_established`: no text read so far
 * settles it.
 */
export type StackingRelation = 'excludes' | 'one_heading' | 'both' | 'use_decides' | 'not_established';

/** The relation of the duties of each program in `program` to those of each program in `others`. */
export interface Stacking extends DatedInterval {
  program: Program[];
  relation: StackingRelation;
  others: Program[];
  /** One sentence about the relation. */
  text: string;
  citation: string;
  sources: string[];
}

/** The data used for every lookup, generated from this folder's JSON files after schema validation. */
export interface Dataset {
  version: string;
  known_through: string;
  latest_material: string;
  sha256: string;
  lists: TariffList[];
  headings: AlternativeHeading[];
  removals: Removal[];
  stacking: Stacking[];
  sources: Record<string, Source>;
  conditions: Record<string, ConditionDefinition>;
  caveats: Record<string, string>;
}

/** The data set in this release. */
export const DATASET: Dataset = JSON.parse(DATASET_JSON);
