import { setTimeout as pause } from 'node:timers/promises';
import { startLoad } from '../harness/load.ts';
import { createPlace, issueKeys, verify } from '../harness/place.ts';
import { type Service, startProcess, until } from '../harness/service.ts';
import type { Scenario } from '../model/scenario.ts';
import { expectThat } from '../model/tally.ts';

/**
 * Replaces three processes one at a time, as a rolling deployment does. Like a load balancer, the scenario stops
 * sending requests to a process once the process's `/readyz` fails.
 */
export const rollingRestart: Scenario = {
  name: 'rolling restart of 3',
  engines: ['sqlite', 'postgres'],
  async run(context) {
    const { tally, phaseMs } = context;
    const place = await createPlace(context);
    const keys = await issueKeys(place);
    const services: Service[] = [];
    for (let i = 0; i < 3; i++) services.push(await startProcess(context, place));
    const load = startLoad(context, { keys, services: () => services, resets: 'never' });
    for (const old of [...services]) {
      await pause(phaseMs / 2);
      services.push(await startProcess(context, place));
      old.child.kill('SIGTERM');
      expectThat(
        tally,
        await until(async () => (await old.readiness()) === '503 stopping'),
        'readiness did not change to "stopping" before the process exited',
      );
      old.accepting = false;
      const code = await old.exited;
      expectThat(tally, code === 0 && old.output().includes('Stopped.\n'), `exit code ${code}`);
      services.splice(services.indexOf(old), 1);
    }
    await pause(phaseMs / 2);
    await load.stop();
    for (const { child, exited } of services) {
      child.kill('SIGTERM');
      await exited;
    }
    expectThat(tally, tally.explained.size === 0, `retries were necessary: ${[...tally.explained.keys()]}`);
    await verify(place, context);
  },
};
