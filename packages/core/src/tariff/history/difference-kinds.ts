/**
 * How the data set and an edition can differ about a heading. `not_printed`: it applies but isn't printed. `not_in_force`: it's
 * printed but doesn't apply. `unreadable`: a rate text isn't in a known form. `rate`, `value_basis`, `column` (column 1 special
 * or column 2), `country`, and `condition`: the text says something else.
 */
export const DIFFERENCE_KINDS = [
  'not_printed',
  'not_in_force',
  'unreadable',
  'rate',
  'value_basis',
  'column',
  'country',
  'condition',
] as const;

/** How the data set and an edition differ about a heading. */
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** Why a difference between the data set and an edition is right on the data set's side. */
export const REASONS = {
  published_later: 'The edition that prints the change was published after the day it took effect.',
  retroactive: 'The act applies to entries made before it was published.',
  still_printed: 'The edition still prints a heading whose last day has passed.',
  printing_error: "The edition's text of the heading is wrong or incomplete.",
  rule_in_note: "The U.S. note states a rule that the heading's own text doesn't.",
  printed_early: 'The edition prints a heading before its first day.',
} as const;

/** Why a difference is right on the data set's side. */
export type Reason = keyof typeof REASONS;
