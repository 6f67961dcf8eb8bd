/**
 * Kinds of differences between a heading in the data set and the same heading in an HTS edition. `not_printed` means
 * that the heading applies but isn't printed. `not_in_force` means that the heading is printed but doesn't apply.
 * `unreadable` means that a printed rate isn't in a supported format. The other kinds mean that the printed text
 * contradicts the data set. `column` refers to column 1 special or column 2.
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

/** Kind of difference in a heading between the data set and an HTS edition. */
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** Reasons why the data set is correct even though an HTS edition differs. */
export const REASONS = {
  published_later: 'The edition that includes the change was published after the change took effect.',
  retroactive: 'The act applies to entries made before the act was published.',
  still_printed: 'The edition still contains a heading that is no longer in force.',
  printing_error: "The edition's text for the heading is wrong or incomplete.",
  rule_in_note: "The rule is in the U.S. note but not in the heading's own text.",
  printed_early: 'The edition prints a heading that isn’t in effect yet.',
} as const;

/** Reason why the data set is correct even though an HTS edition differs. */
export type Reason = keyof typeof REASONS;
