import type { Tally } from './tally.ts';

/** A database engine that a scenario runs on. */
export type Engine = 'sqlite' | 'postgres';

/** Environment for a scenario. */
export interface ScenarioContext {
  readonly engine: Engine;
  /** Counts of requests and violations. */
  readonly tally: Tally;
  /** Duration of each load phase, in milliseconds. */
  readonly phaseMs: number;
  /** Registers a cleanup function to call after the scenario. Functions are called in reverse order of registration. */
  defer(work: () => unknown): void;
}

/** A scenario that simulates a failure. */
export interface Scenario {
  readonly name: string;
  readonly engines: readonly Engine[];
  /** Returns the reason that the scenario can't run on this machine, or null if it can. */
  readonly skip?: (() => string | null) | undefined;
  run(context: ScenarioContext): Promise<void>;
}
