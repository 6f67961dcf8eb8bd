import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IdempotentRequest, IdempotentRun } from '../../index.ts';
import { DAY, MINUTE, type StoreHarness } from './harness.ts';

/** Time until a lease without a heartbeat expires, in milliseconds. */
const LEASE = 5_000;

const REQUEST: IdempotentRequest = { family: 'fam_1', operation: 'entry', key: 'k', fingerprint: 'body' };
const OTHER_BODY: IdempotentRequest = { ...REQUEST, fingerprint: 'another body' };

export function registerIdempotency(harness: StoreHarness): void {
  const begin = (request = REQUEST) => harness.store.idempotency.begin(request);

  async function beginNew(request = REQUEST): Promise<IdempotentRun> {
    const begun = await begin(request);
    expect(begun.state).toBe('new');
    return (begun as { run: IdempotentRun }).run;
  }

  describe('idempotency', () => {
    it('lets one caller process a request and returns the same response to all callers', async () => {
      const run = await beginNew();
      expect(run).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), attempt: 1 });
      expect(await begin()).toMatchObject({ state: 'running' });
      expect(await begin(OTHER_BODY)).toEqual({ state: 'mismatch' });
      const response = '{"gcc_id":"…", "é":"馬"}';
      expect(await harness.store.idempotency.finish(run, response)).toBe(response);
      expect(await begin()).toEqual({ state: 'done', response });
      expect(await begin()).toEqual({ state: 'done', response });
      expect(await begin(OTHER_BODY)).toEqual({ state: 'mismatch' });
    });

    it.each(['family', 'operation', 'key'] as const)(
      'treats a request with a different %s as a new request',
      async name => {
        await harness.store.idempotency.finish(await beginNew(), 'first');
        const run = await beginNew({ ...REQUEST, [name]: 'other', fingerprint: 'another body' });
        await harness.store.idempotency.finish(run, 'second');
        expect(await begin()).toEqual({ state: 'done', response: 'first' });
      },
    );

    it('lets exactly one of many concurrent callers process a request', async () => {
      const begun = await Promise.all(Array.from({ length: 20 }, () => begin()));
      expect(begun.filter(({ state }) => state === 'new')).toHaveLength(1);
      expect(begun.filter(({ state }) => state === 'running')).toHaveLength(19);
    });

    it('lets a repeated request with the same body take over a run, with the same run ID, five seconds after the last heartbeat', async () => {
      const first = await beginNew();
      harness.now += LEASE - 1;
      expect(await begin()).toEqual({ state: 'running', retryAfterMs: 1 });
      await harness.store.idempotency.extend(first);
      harness.now += LEASE - 1;
      expect(await begin()).toEqual({ state: 'running', retryAfterMs: 1 });
      harness.now += 1;
      expect(await begin(OTHER_BODY)).toEqual({ state: 'mismatch' });
      const second = await beginNew();
      expect(second).toEqual({ id: first.id, attempt: 2 });
      await harness.store.idempotency.extend(first);
      harness.now += LEASE - 1;
      expect(await begin()).toEqual({ state: 'running', retryAfterMs: 1 });
      harness.now += 1;
      expect(await beginNew()).toEqual({ id: first.id, attempt: 3 });
    });

    it('lets a repeated request take over a dead process’s run within five seconds, even if that process’s clock was a day ahead', async () => {
      harness.now += DAY;
      const { id } = await beginNew();
      harness.now -= DAY;
      expect(await begin()).toEqual({ state: 'running', retryAfterMs: LEASE });
      harness.now += LEASE;
      expect(await beginNew()).toEqual({ id, attempt: 2 });
    });

    it('keeps an idempotency key for exactly 24 hours', async () => {
      const run = await beginNew();
      await harness.store.idempotency.finish(run, 'first');
      harness.now += DAY - 1;
      expect(await begin()).toEqual({ state: 'done', response: 'first' });
      expect(await begin(OTHER_BODY)).toEqual({ state: 'mismatch' });
      harness.now += 1;
      const fresh = await beginNew(OTHER_BODY);
      expect(fresh.attempt).toBe(1);
      expect(fresh.id).not.toBe(run.id);
      expect(await begin(OTHER_BODY)).toMatchObject({ state: 'running' });
      expect(await begin()).toEqual({ state: 'mismatch' });
    });

    it("doesn't delete the entry for a run that is still in progress", async () => {
      await beginNew();
      harness.now += DAY - 1;
      await beginNew();
      harness.now += LEASE - 1;
      await beginNew({ ...REQUEST, key: 'another, which sweeps' });
      expect(await begin()).toMatchObject({ state: 'running' });
      harness.now += 1;
      expect(await beginNew(OTHER_BODY)).toMatchObject({ attempt: 1 });
    });

    it('lets a repeated request with the same body reuse an abandoned idempotency key immediately', async () => {
      const run = await beginNew();
      await harness.store.idempotency.abandon(run);
      expect(await begin(OTHER_BODY)).toEqual({ state: 'mismatch' });
      const next = await beginNew();
      expect(next).toEqual({ id: run.id, attempt: 2 });
      await harness.store.idempotency.abandon(run);
      expect(await begin()).toMatchObject({ state: 'running' });
      await harness.store.idempotency.finish(next, 'done');
      await harness.store.idempotency.abandon(next);
      expect(await begin()).toEqual({ state: 'done', response: 'done' });
    });

    it('stores the response from the run that finishes first and returns it to the slower run', async () => {
      const slow = await beginNew();
      harness.now += LEASE;
      const quick = await beginNew();
      expect(await harness.store.idempotency.finish(quick, 'quick')).toBe('quick');
      expect(await harness.store.idempotency.finish(slow, 'slow')).toBe('quick');
      expect(await begin()).toEqual({ state: 'done', response: 'quick' });
    });

    it('ignores a late response for an idempotency key that has been reused', async () => {
      const late = await beginNew();
      harness.now += DAY;
      const fresh = await beginNew(OTHER_BODY);
      expect(await harness.store.idempotency.finish(late, 'late')).toBe('late');
      expect(await begin(OTHER_BODY)).toMatchObject({ state: 'running' });
      await harness.store.idempotency.finish(fresh, 'fresh');
      expect(await begin(OTHER_BODY)).toEqual({ state: 'done', response: 'fresh' });
    });

    it("doesn't issue a certificate twice when a process dies between issuing and responding", async () => {
      const certificate = { family: 'fam_1', record: '{}', pdf: Buffer.from('%PDF-'), actor: 'key_1' };
      const { id } = await beginNew();
      await harness.store.certificates.issue({ ...certificate, id });
      harness.now += LEASE;
      const again = await beginNew();
      await expect(harness.store.certificates.issue({ ...certificate, id: again.id })).rejects.toMatchObject({
        code: 'certificate_exists',
      });
      expect(await harness.store.certificates.list({ limit: 10 })).toHaveLength(1);
    });

    it('deletes idempotency entries after a day', async () => {
      for (let day = 0; day < 5; day++) {
        for (let i = 0; i < 10; i++) await beginNew({ ...REQUEST, key: `${day}-${i}` });
        harness.now += DAY;
      }
      const [row] = await harness.store.sql('select count(*) as count from idempotency');
      expect(Number(row?.count)).toBe(10);
    });

    it('matches a simple idempotency model for any sequence of calls and pauses', async () => {
      const step = fc.record({
        pause: fc.oneof(fc.constantFrom(0, LEASE, MINUTE, DAY), fc.nat({ max: 2 * LEASE })),
        body: fc.constantFrom('body', 'another body'),
        act: fc.constantFrom('nothing', 'finish', 'abandon', 'extend'),
        run: fc.nat(),
      });
      let round = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async steps => {
          const key = `model ${round++}`;
          const runs: IdempotentRun[] = [];
          let entry = { id: '', attempt: 0, body: '', response: null as string | null, leasedUntil: 0, expiresAt: 0 };
          for (const { pause, body, act, run: chosen } of steps) {
            harness.now += pause;
            const idle = entry.response === null && entry.leasedUntil <= harness.now;
            const forgotten = entry.expiresAt <= harness.now && (idle || entry.response !== null);
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
            if (begun.state === 'running') expect(begun.retryAfterMs).toBe(entry.leasedUntil - harness.now);
            if (begun.state === 'new') {
              const { run } = begun;
              expect(run.attempt).toBe(forgotten ? 1 : entry.attempt + 1);
              expect(run.id === entry.id).toBe(!forgotten);
              const expiresAt = forgotten ? harness.now + DAY : entry.expiresAt;
              entry = { ...run, body, response: null, leasedUntil: harness.now + LEASE, expiresAt };
              runs.push(run);
            }
            const run = runs[chosen % Math.max(1, runs.length)];
            if (!run) continue;
            const isCurrent = run.id === entry.id && entry.response === null;
            if (act === 'finish') {
              const answer = `answer ${run.id} ${run.attempt}`;
              if (isCurrent) entry.response = answer;
              const kept = await harness.store.idempotency.finish(run, answer);
              expect(kept).toBe(run.id === entry.id ? entry.response : answer);
            }
            if (act === 'abandon' || act === 'extend') {
              const holds = isCurrent && run.attempt === entry.attempt;
              if (holds) entry.leasedUntil = harness.now + (act === 'extend' ? LEASE : 0);
              await harness.store.idempotency[act](run);
            }
          }
        }),
        { numRuns: 40 },
      );
    });
  });
}
