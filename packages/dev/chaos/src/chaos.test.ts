import { expect, it } from 'vitest';
import { violationsOf } from './model/tally.ts';
import { runScenario } from './run-scenario.ts';
import { damagedDatabase } from './scenarios/damaged-database.ts';
import { fullDisk } from './scenarios/full-disk.ts';
import { kill } from './scenarios/kill.ts';

/** Duration of each load phase, in milliseconds. `pnpm chaos` runs all scenarios with longer phases. */
const PHASE_MS = 1_000;

it.each([kill, fullDisk, damagedDatabase])(
  'loses no acknowledged certificate and causes no unexplained error: $name',
  async scenario => {
    const { tally } = await runScenario(scenario, 'sqlite', PHASE_MS);
    expect(violationsOf(tally)).toEqual([]);
    expect(tally.acknowledged.length).toBeGreaterThan(0);
  },
  120_000,
);
