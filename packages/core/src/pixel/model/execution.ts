/**
 * Whether and when code runs: when the page loads (`run`), after an event or a delay (`later`), or after consent
 * (`gated`). `config` is configuration data that the platform's own code applies. `inert` code is in markup that
 * browsers don't execute, in a function without a visible caller, or in a container tag that never runs. `never_runs`
 * code can't run, because its script has a syntax error or its condition is always false.
 */
export type State = 'run' | 'later' | 'gated' | 'config' | 'inert' | 'never_runs';

/**
 * Confidence in an observation. The observation's names and IDs are `certain` if they were resolved, `likely` if they
 * were resolved based on an assumption, and `possible` if they might be incorrect.
 */
export type Confidence = 'certain' | 'likely' | 'possible';

/** A conditional branch. Code in two branches of the same condition never runs during the same page view. */
export interface Branch {
  readonly condition: number;
  readonly branch: number;
}

const RANK: Readonly<Record<Confidence, number>> = { certain: 2, likely: 1, possible: 0 };

/** Returns the lowest of several confidence levels, or `certain` for an empty list. */
export const leastConfident = (...confidences: readonly Confidence[]): Confidence =>
  confidences.reduce<Confidence>((least, c) => (RANK[c] < RANK[least] ? c : least), 'certain');
