import { EDITION_JSON } from './edition.gen.ts';
import type { Program } from './programs.ts';

/** `article`: a primary good of the program. `derivative`: a good on the derivative list. */
export type Role = 'article' | 'derivative';

/**
 * How a rate counts. `additional`: on top of the column 1 duty. `total_floor`: column 1 and additional duty together make
 * the rate, and nothing is added where column 1 alone reaches it. `none`: no additional duty.
 */
export type RateType = 'additional' | 'total_floor' | 'none';

/** The value that a rate is charged on. */
export type ValueBasis = 'full_customs_value' | 'metal_content_value' | 'copper_content_value' | 'non_us_content_value';

/** A duty: Chapter 99 headings and what is charged under them. `rate_pct` is null where our sources do not give it. */
export interface Duty {
  headings: string[];
  rate_pct: number | null;
  rate_type: RateType;
  value_basis: ValueBasis;
}

/** An inclusive interval of dates of entry for consumption, YYYY-MM-DD; `effective_to` is null while open. */
export interface Interval {
  effective_from: string;
  effective_to: string | null;
}

/** What a list charges during an interval. */
export interface Term extends Interval, Duty {
  /** The U.S. note that held the list then, where that is not the list's own. */
  note?: string;
  annex: string | null;
  citation: string;
  sources: string[];
  conditions?: string[];
  caveats?: string[];
}

/** Provisions that came onto a list together and leave it together. */
export interface Cohort extends Interval {
  citation: string;
  sources: string[];
  caveats?: string[];
  provisions: (string | { hts: string; conditions?: string[]; caveats?: string[] })[];
}

/** A list of HTS provisions that a proclamation or a U.S. note to chapter 99 names. */
export interface TariffList {
  id: string;
  title: string;
  program: Program;
  role: Role;
  note: string;
  membership_verified_from?: string;
  terms: Term[];
  cohorts: Cohort[];
}

/** A Chapter 99 heading that takes the place of a list's own one for some origins or facts. */
export interface AlternativeHeading extends Interval {
  headings: string[];
  rate_pct: number | null;
  rate_type: RateType;
  lists: string[];
  origins?: string[];
  except_origins?: string[];
  chapters?: string[];
  when: string[];
  value_basis?: ValueBasis;
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

/** Where a fact was read. `reading` says how directly. */
export interface Source {
  title: string;
  address: string;
  reading: 'official' | 'derived' | 'second_hand';
  note?: string;
}

/** Everything the look-up knows: generated from the folders beside this file, and only from files that pass their schema. */
export interface Edition {
  version: string;
  known_through: string;
  latest_material: string;
  sha256: string;
  lists: TariffList[];
  headings: AlternativeHeading[];
  removals: Removal[];
  sources: Record<string, Source>;
  conditions: Record<string, { text: string; except_chapters?: string[] }>;
  caveats: Record<string, string>;
}

/** The edition that this release carries. */
export const EDITION: Edition = JSON.parse(EDITION_JSON);
