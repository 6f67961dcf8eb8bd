import type { Engine, Scenario } from './model/scenario.ts';
import { createTally, type Tally } from './model/tally.ts';

/** Outcome of a scenario on one engine. */
export interface ScenarioOutcome {
  readonly name: string;
  readonly engine: Engine;
  readonly seconds: number;
  readonly skipped: string | null;
  readonly tally: Tally;
}

/**
 * Runs a scenario on an engine and cleans up after it. Records an unexpected error as a violation.
 *
 * @param phaseMs duration of each load phase, in milliseconds
 * @example
 * const { tally } = await runScenario(SCENARIOS[0], 'sqlite', 4_000);
 */
export async function runScenario(scenario: Scenario, engine: Engine, phaseMs: number): Promise<ScenarioOutcome> {
  const tally = createTally();
  const skipped = scenario.skip?.() ?? null;
  const deferred: (() => unknown)[] = [];
  const started = performance.now();
  try {
    if (skipped === null) await scenario.run({ engine, tally, phaseMs, defer: work => void deferred.push(work) });
  } catch (error) {
    tally.unexplained.push(`${(error as Error).stack}`);
  } finally {
    for (const work of deferred.reverse()) await work();
  }
  return { name: scenario.name, engine, seconds: (performance.now() - started) / 1000, skipped, tally };
}
