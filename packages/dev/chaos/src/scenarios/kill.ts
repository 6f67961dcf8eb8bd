import { setTimeout as pause } from 'node:timers/promises';
import { startLoad } from '../harness/load.ts';
import { createPlace, issueKeys, verify } from '../harness/place.ts';
import { startProcess } from '../harness/service.ts';
import type { Scenario } from '../model/scenario.ts';

/** Kills a busy process once (in short runs) or three times, and restarts it on the same port each time. */
export const kill: Scenario = {
  name: 'kill -9 under load',
  engines: ['sqlite', 'postgres'],
  async run(context) {
    const { tally, phaseMs } = context;
    const place = await createPlace(context);
    const keys = await issueKeys(place);
    let service = await startProcess(context, place);
    const port = Number(new URL(service.base).port);
    const load = startLoad(context, { keys, services: () => [service], resets: 'kill' });
    const kills = phaseMs < 3_000 ? 1 : 3;
    for (let i = 0; i < kills; i++) {
      await pause(phaseMs);
      service.child.kill('SIGKILL');
      await service.exited;
      service = await startProcess(context, place, { port });
    }
    await pause(phaseMs);
    await load.stop();
    tally.facts.push(`${kills} kills`);
    await verify(place, context);
  },
};
