import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startLoad } from '../harness/load.ts';
import { createPlace, issueKeys, verify } from '../harness/place.ts';
import { startProcess, until } from '../harness/service.ts';
import type { Scenario } from '../model/scenario.ts';
import { expectThat } from '../model/tally.ts';

/** Crashes PostgreSQL. The server drops all connections, recovers, and then accepts connections again. */
export const postgresCrash: Scenario = {
  name: 'PostgreSQL crash and restart',
  engines: ['postgres'],
  async run(context) {
    const { tally, phaseMs } = context;
    const place = await createPlace(context);
    const keys = await issueKeys(place);
    const service = await startProcess(context, place);
    const load = startLoad(context, { keys, services: () => [service], resets: 'never' });
    for (let i = 0; i < 2; i++) {
      await pause(phaseMs);
      await crash(place.databaseUrl!);
      expectThat(
        tally,
        await until(async () => (await service.readiness()) === '200 ready', 30_000),
        'the service did not recover without a restart',
      );
    }
    await pause(phaseMs);
    await load.stop();
    expectThat(
      tally,
      tally.explained.has('503 unavailable'),
      'the service did not return any 503 responses during the crash',
    );
    await verify(place, context);
  },
};

/** Kills a server process. PostgreSQL then restarts all of its processes. */
async function crash(url: string): Promise<void> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  process.kill(rows[0]!.pid, 'SIGKILL');
  await client.end().catch(() => {});
}
