import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IdempotentRequest, IdempotentRun } from '../../index.ts';
import { DAY, MINUTE, type World } from './world.ts';

const REQUEST: IdempotentRequest = { family: 'fam_1', operation: 'entry', key: 'k', fingerprint: 'body' };
const OTHER_BODY: IdempotentRequest = { ...REQUEST, fingerprint: 'another body' };

export function registerIdempotency(world: World): void {
  const begin = (request = REQUEST) => world.store.idempotency.begin(request);

  async function beginNew(request = REQUEST): Promise<IdempotentRun> {
    const begun = await begin(request);
    expect(begun.state).toBe('new');
    return (begun as { run: IdempotentRun }).run;
  }

  describe('idempotency', () => {
    it('lets one do the work, the others wait, and gives all the same answer', async () => {
      const run = await beginNew();
      expect(run).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), attempt: 1 });
      expect(await begin()).toEqual({ state: 'running' });
      expect(await begin(OTHER_BODY)).toEqual({ state: 'mismatch' });
      const response = '{"gcc_id":"…", "é":"馬"}';
      expect(await world.store.idempotency.finish(run, response)).toBe(response);
      expect(await begin()).toEqual({ state: 'done', response });
      expect(await begin()).toEqual({ state: 'done', response });
      expect(await begin(OTHER_BODY)).toEqual({ state: 'mismatch' });
    });

    it.each(['family', 'operation', 'key'] as const)('keeps apart what differs in its %s', async name => {
      await world.store.idempotency.finish(await beginNew(), 'first');
      const run = await beginNew({ ...REQUEST, [name]: 'other', fingerprint: 'another body' });
      await world.store.idempotency.finish(run, 'second');
      expect(await begin()).toEqual({ state: 'done', response: 'first' });
    });

    it('lets one of many at once do the work', async () => {
      const begun = await Promise.all(Array.from({ length: 20 }, () => begin()));
      expect(begun.filter(({ state }) => state === 'new')).toHaveLength(1);
      expect(begun.filter(({ state }) => state === 'running')).toHaveLength(19);
    });

    it('takes a run for dead after a minute: the same body goes on under the same id', async () => {
      const first = await beginNew();
      world.now += MINUTE - 1;
      expect(await begin()).toEqual({ state: 'running' });
      world.now += 1;
      expect(await begin(OTHER_BODY)).toEqual({ state: 'mismatch' });
      expect(await beginNew()).toEqual({ id: first.id, attempt: 2 });
      world.now += MINUTE - 1;
      expect(await begin()).toEqual({ state: 'running' });
      world.now += 1;
      expect(await beginNew()).toEqual({ id: first.id, attempt: 3 });
    });

    it('remembers a key for 24 hours, then not at all', async () => {
      const run = await beginNew();
      await world.store.idempotency.finish(run, 'first');
      world.now += DAY - 1;
      expect(await begin()).toEqual({ state: 'done', response: 'first' });
      expect(await begin(OTHER_BODY)).toEqual({ state: 'mismatch' });
      world.now += 1;
      const fresh = await beginNew(OTHER_BODY);
      expect(fresh.attempt).toBe(1);
      expect(fresh.id).not.toBe(run.id);
      expect(await begin(OTHER_BODY)).toEqual({ state: 'running' });
      expect(await begin()).toEqual({ state: 'mismatch' });
    });

    it('does not forget a run at work', async () => {
      await beginNew();
      world.now += DAY - 1;
      await beginNew();
      world.now += MINUTE - 1;
      await beginNew({ ...REQUEST, key: 'another, which sweeps' });
      expect(await begin()).toEqual({ state: 'running' });
      world.now += 1;
      expect(await beginNew(OTHER_BODY)).toMatchObject({ attempt: 1 });
    });

    it('gives an abandoned key to the same body at once', async () => {
      const run = await beginNew();
      await world.store.idempotency.abandon(run);
      expect(await begin(OTHER_BODY)).toEqual({ state: 'mismatch' });
      const next = await beginNew();
      expect(next).toEqual({ id: run.id, attempt: 2 });
      await world.store.idempotency.abandon(run);
      expect(await begin()).toEqual({ state: 'running' });
      await world.store.idempotency.finish(next, 'done');
      await world.store.idempotency.abandon(next);
      expect(await begin()).toEqual({ state: 'done', response: 'done' });
    });

    it('keeps the answer of the run that finishes first, and gives it to the slow one', async () => {
      const slow = await beginNew();
      world.now += MINUTE;
      const quick = await beginNew();
      expect(await world.store.idempotency.finish(quick, 'quick')).toBe('quick');
      expect(await world.store.idempotency.finish(slow, 'slow')).toBe('quick');
      expect(await begin()).toEqual({ state: 'done', response: 'quick' });
    });

    it('keeps a late answer out of a key that has been used anew', async () => {
      const late = await beginNew();
      world.now += DAY;
      const fresh = await beginNew(OTHER_BODY);
      expect(await world.store.idempotency.finish(late, 'late')).toBe('late');
      expect(await begin(OTHER_BODY)).toEqual({ state: 'running' });
      await world.store.idempotency.finish(fresh, 'fresh');
      expect(await begin(OTHER_BODY)).toEqual({ state: 'done', response: 'fresh' });
    });

    it('does not make a certificate twice when a run dies between making and answering', async () => {
      const certificate = { family: 'fam_1', record: '{}', pdf: Buffer.from('%PDF-'), actor: 'key_1' };
      const { id } = await beginNew();
      await world.store.certificates.issue({ ...certificate, id });
      world.now += MINUTE;
      const again = await beginNew();
      await expect(world.store.certificates.issue({ ...certificate, id: again.id })).rejects.toMatchObject({
        code: 'certificate_exists',
      });
      expect(await world.store.certificates.list({ limit: 10 })).toHaveLength(1);
    });

    it('holds what a day brought and no more', async () => {
      for (let day = 0; day < 5; day++) {
        for (let i = 0; i < 10; i++) await beginNew({ ...REQUEST, key: `${day}-${i}` });
        world.now += DAY;
      }
      const [row] = await world.store.sql('select count(*) as count from idempotency');
      expect(Number(row?.count)).toBe(10);
    });

    it('agrees with a plain model for any sequence of calls and pauses', async () => {
      const step = fc.record({
        pause: fc.oneof(fc.constantFrom(0, MINUTE, DAY), fc.nat({ max: 2 * MINUTE })),
        body: fc.constantFrom('body', 'another body'),
        act: fc.constantFrom('nothing', 'finish', 'abandon'),
        run: fc.nat(),
      });
      let round = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async steps => {
          const key = `model ${round++}`;
          const runs: IdempotentRun[] = [];
          let entry = { id: '', attempt: 0, body: '', response: null as string | null, leasedUntil: 0, expiresAt: 0 };
          for (const { pause, body, act, run: chosen } of steps) {
            world.now += pause;
            const idle = entry.response === null && entry.leasedUntil <= world.now;
            const forgotten = entry.expiresAt <= world.now && (idle || entry.response !== null);
            const expected = forgotten
              ? 'new'
              : entry.body !== body
                ? 'mismatch'
                : entry.response !== null
                  ? 'done'
                  : idle
                    ? 'new'
                    : 'running';
            const begun = await begin({ ...REQUEST, key, fingerprint: body });
            expect(begun.state).toBe(expected);
            if (begun.state === 'done') expect(begun.response).toBe(entry.response);
            if (begun.state === 'new') {
              const { run } = begun;
              expect(run.attempt).toBe(forgotten ? 1 : entry.attempt + 1);
              expect(run.id === entry.id).toBe(!forgotten);
              const expiresAt = forgotten ? world.now + DAY : entry.expiresAt;
              entry = { ...run, body, response: null, leasedUntil: world.now + MINUTE, expiresAt };
              runs.push(run);
            }
            const run = runs[chosen % Math.max(1, runs.length)];
            if (!run) continue;
            const isCurrent = run.id === entry.id && entry.response === null;
            if (act === 'finish') {
              const answer = `answer ${run.id} ${run.attempt}`;
              if (isCurrent) entry.response = answer;
              const kept = await world.store.idempotency.finish(run, answer);
              expect(kept).toBe(run.id === entry.id ? entry.response : answer);
            }
            if (act === 'abandon') {
              if (isCurrent && run.attempt === entry.attempt) entry.leasedUntil = world.now;
              await world.store.idempotency.abandon(run);
            }
          }
        }),
        { numRuns: 40 },
      );
    });
  });
}
