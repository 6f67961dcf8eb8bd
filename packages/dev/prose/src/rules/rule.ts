import type { UnitKind } from '../extract/unit.ts';

/** House rule: a pattern for wording to avoid, with sentences that the rule flags and sentences that it accepts. */
export interface Rule {
  readonly id: string;
  /** Pattern that is matched against each text after code and placeholders are masked. */
  readonly pattern: RegExp;
  /** Kinds of text that the rule checks. If omitted, the rule checks all kinds. */
  readonly kinds?: readonly UnitKind[];
  readonly message: string;
  readonly suggestion: string;
  /** Sentences that the rule flags. */
  readonly fails: readonly string[];
  /** Sentences that the rule accepts. */
  readonly passes: readonly string[];
}
