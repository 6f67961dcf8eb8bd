import type { Scenario } from '../model/scenario.ts';
import { clockJump } from './clock-jump.ts';
import { damagedDatabase } from './damaged-database.ts';
import { fullDisk } from './full-disk.ts';
import { jobWorkerKilled } from './job-worker-killed.ts';
import { kill } from './kill.ts';
import { postgresCrash } from './postgres-crash.ts';
import { readOnlyFolder } from './read-only.ts';
import { rollingRestart } from './rolling-restart.ts';
import { sigterm } from './sigterm.ts';

/** All scenarios, in execution order. */
export const SCENARIOS: readonly Scenario[] = [
  sigterm,
  kill,
  jobWorkerKilled,
  fullDisk,
  readOnlyFolder,
  damagedDatabase,
  postgresCrash,
  clockJump,
  rollingRestart,
];
