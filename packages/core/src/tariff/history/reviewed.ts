import type { DifferenceKind, Reason } from './difference-kinds.ts';
import { REVIEWED_JSON } from './reviewed.gen.ts';

/** An HTS edition and the day the USITC published it, which is its first day in force. */
export interface Edition {
  /** Name of the edition, such as `2025 Revision 4`. */
  edition: string;
  published: string;
  source: string;
}

/** Headings and U.S. notes of subchapter III of Chapter 99 that belong to another authority than Section 232. */
export interface OtherAuthority {
  authority: string;
  notes: number[];
  headings: string[];
  source: string;
  /** Date of the review. */
  reviewed: string;
}

/** A difference between the data set and some editions that is right on the data set's side. */
export interface ReviewedDifference {
  headings: string[];
  /** First and last edition with the difference. */
  editions: [first: string, last: string];
  kind: DifferenceKind;
  /** The data set's statement. Any statement, if absent. */
  ours?: string;
  /** The text that the editions print. Any text, if absent. */
  printed?: string;
  reason: Reason;
  text: string;
  source: string;
  /** Date of the review. */
  reviewed: string;
}

/** A subdivision of a U.S. note that enumerates codes and belongs to no list. */
export interface ReviewedNote {
  /** Name of the subdivision, such as `33(j)`. Includes the subdivisions under it. */
  subdivision: string;
  text: string;
  source: string;
  /** Date of the review. */
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
