import type { UnitKind } from '../extract/unit.ts';

/** A house rule: a pattern that must not occur, with sentences that prove what it matches. */
export interface Rule {
  readonly id: string;
  /** Matched against each text with code and placeholders masked. */
  readonly pattern: RegExp;
  /** The kinds of text that the rule is for; all kinds if omitted. */
  readonly kinds?: readonly UnitKind[];
  readonly message: string;
  readonly suggestion: string;
  /** Sentences that the rule flags. */
  readonly fails: readonly string[];
  /** Sentences that the rule accepts. */
  readonly passes: readonly string[];
}
