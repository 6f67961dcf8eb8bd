import { setTimeout as pause } from 'node:timers/promises';
import { certificateOf, LOOKUP, send, startLoad } from '../harness/load.ts';
import { createPlace, issueKeys, verify } from '../harness/place.ts';
import { startProcess } from '../harness/service.ts';
import type { Scenario } from '../model/scenario.ts';
import { expectThat } from '../model/tally.ts';

const DAY_MS = 86_400_000;

/** Moves a busy process's clock a day ahead and back, and then a day behind and back. */
export const clockJump: Scenario = {
  name: 'clock ±24 h',
  engines: ['sqlite', 'postgres'],
  async run(context) {
    const { tally, phaseMs } = context;
    const place = await createPlace(context);
    const [full, ...keys] = await issueKeys(place);
    const clockOffsets = [DAY_MS, 0, -DAY_MS, 0];
    const service = await startProcess(context, place, { clockOffsets });
    const load = startLoad(context, { keys, services: () => [service], resets: 'never' });
    const jump = async () => {
      service.child.kill('SIGUSR2');
      await pause(phaseMs / 2);
    };

    await jump();
    // Use up the key's rate limit while the clock is a day ahead.
    for (let i = 0; i < 101; i++) await send(service.base, full!, LOOKUP);
    await jump();
    const refused = await send(service.base, full!, LOOKUP);
    expectThat(
      tally,
      refused.status === 200 || (refused.status === 429 && (refused.retryAfter ?? 0) <= 60),
      `Retry-After is ${refused.retryAfter} s for a key that was rate-limited while the clock was a day ahead`,
    );
    await jump();
    await jump();
    await load.stop();

    // While a process with a wrong clock issues a certificate, kill the process.
    const ahead = await startProcess(context, place, { clockOffsets: [DAY_MS] });
    ahead.child.kill('SIGUSR2');
    await pause(100);
    const headers = { 'Idempotency-Key': 'died-1' };
    void send(ahead.base, keys[0]!, certificateOf('died-1'), { headers });
    await pause(30);
    ahead.child.kill('SIGKILL');
    const started = performance.now();
    for (;;) {
      const { status, body, code, retryAfter } = await send(service.base, keys[0]!, certificateOf('died-1'), {
        headers,
      });
      if (status === 200) {
        tally.acknowledged.push({ id: body.gcc_id!, sha256: body.sha256!, name: 'died-1' });
        break;
      }
      expectThat(
        tally,
        code === 'idempotency_running' && (retryAfter ?? 9) <= 5,
        `${status} ${code}, retry after ${retryAfter}`,
      );
      if (performance.now() - started > 15_000) break;
      await pause(200);
    }
    const waited = (performance.now() - started) / 1000;
    expectThat(tally, waited < 10, `an idempotency key stayed in use for ${waited.toFixed(1)} s after a crash`);
    tally.facts.push(`idempotency key released after ${waited.toFixed(1)} s`);
    await verify(place, context);
  },
};
