import { expect, it } from 'vitest';
import { violationsOf } from './model/tally.ts';
import { runScenario } from './run-scenario.ts';
import { kill } from './scenarios/kill.ts';

/** Duration of each load phase, in milliseconds. `pnpm chaos` runs all scenarios with longer phases. */
const PHASE_MS = 1_000;

it('doesn’t lose an acknowledged certificate or cause an unexplained error if a process is killed', async () => {
  const { tally } = await runScenario(kill, 'sqlite', PHASE_MS);
  expect(violationsOf(tally)).toEqual([]);
  expect(tally.acknowledged.length).toBeGreaterThan(0);
}, 120_000);
