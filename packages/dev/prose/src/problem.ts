import { positionAt, type Unit } from './extract/unit.ts';

/** Part of a text unit that a rule flagged. */
export interface Problem {
  readonly unit: Unit;
  /** Index of the flagged part in the unit's text. */
  readonly at: number;
  readonly rule: string;
  readonly message: string;
}

/** Formats a problem as `file:line:column rule message`. */
export function formatProblem({ unit, at, rule, message }: Problem): string {
  const { line, column } = positionAt(unit, at);
  return `${unit.file}:${line}:${column} ${rule} ${message}`;
}
