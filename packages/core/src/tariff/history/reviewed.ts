import type { DifferenceKind, Reason } from './difference-kinds.ts';
import { REVIEWED_JSON } from './reviewed.gen.ts';

/** An HTS edition and the day on which the USITC published the edition. This day is the edition's first day in force. */
export interface Edition {
  /** Name of the edition, such as `2025 Revision 4`. */
  edition: string;
  published: string;
  source: string;
}

/** Headings and U.S. notes in subchapter III of Chapter 99 that belong to an authority other than Section 232. */
export interface OtherAuthority {
  authority: string;
  notes: number[];
  headings: string[];
  source: string;
  /** Date on which the entry was reviewed. */
  reviewed: string;
}

/** A difference between the data set and certain HTS editions for which a review confirmed that the data set is correct. */
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
  /** Date on which the entry was reviewed. */
  reviewed: string;
}

/** A subdivision of a U.S. note that enumerates codes but doesn't belong to any list. */
export interface ReviewedNote {
  /** Name of the subdivision, such as `33(j)`. The entry also covers nested subdivisions. */
  subdivision: string;
  text: string;
  source: string;
  /** Date on which the entry was reviewed. */
  reviewed: string;
}

/** The reviewed facts that a check needs in addition to the data set, generated from the files in reviewed/. */
export interface Reviewed {
  editions: Edition[];
  otherAuthorities: OtherAuthority[];
  differences: ReviewedDifference[];
  notes: ReviewedNote[];
}

/** The reviewed facts in this release. */
export const REVIEWED: Reviewed = JSON.parse(REVIEWED_JSON);
