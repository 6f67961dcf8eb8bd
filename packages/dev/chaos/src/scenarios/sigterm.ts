import { setTimeout as pause } from 'node:timers/promises';
import { startLoad } from '../harness/load.ts';
import { createPlace, issueKeys, verify } from '../harness/place.ts';
import { startProcess, until } from '../harness/service.ts';
import type { Scenario } from '../model/scenario.ts';
import { expectThat } from '../model/tally.ts';

/**
 * Stops a busy process with SIGTERM. Like a load balancer, the scenario stops sending requests once `/readyz` fails.
 */
export const sigterm: Scenario = {
  name: 'SIGTERM under load',
  engines: ['sqlite', 'postgres'],
  async run(context) {
    const { tally, phaseMs } = context;
    const place = await createPlace(context);
    const keys = await issueKeys(place);
    const service = await startProcess(context, place);
    const load = startLoad(context, { keys, services: () => [service], resets: 'never' });
    await pause(phaseMs);
    service.child.kill('SIGTERM');
    expectThat(
      tally,
      await until(async () => (await service.readiness()) === '503 stopping'),
      'readiness did not change to "stopping" before the process exited',
    );
    service.accepting = false;
    await load.stop();
    const code = await service.exited;
    expectThat(tally, code === 0, `exit code ${code}`);
    expectThat(tally, service.output().includes('Stopped.\n'), 'requests were dropped');
    await verify(place, context);
  },
};
