import { describe, expect, it } from 'vitest';
import type { BulkJobs } from '../../bulk/bulk-jobs.ts';
import { DAY, MINUTE, type StoreHarness } from './harness.ts';

const LOOKUP = {
  keyId: 'key',
  operation: 'tariff.hts.lookup',
  format: 'csv',
  options: { as_of: '2026-11-21' },
} as const;
const PARTS = [
  { first: 1, rows: 100 },
  { first: 101, rows: 50 },
];

export function registerBulkJobs(harness: StoreHarness): void {
  describe('bulk jobs', () => {
    const jobs = () => harness.store.bulkJobs;
    const claim = () => jobs().claim('w', MINUTE);
    /** Creates a bulk job, begins its upload, and starts the job. */
    async function start(family: string, parts = PARTS, quota = 1_000) {
      const { id } = await jobs().create({ ...LOOKUP, family });
      await jobs().beginUpload(id, 'upload');
      return await jobs().start(id, { upload: 'upload', header: 'code', parts, quota });
    }

    it('processes each part of a job once, and counts the processed rows', async () => {
      const { id, state, rows } = await start('fam_a');
      expect({ state, rows }).toEqual({ state: 'running', rows: 150 });
      const [first, second] = [(await claim())!, (await claim())!];
      expect([first.part, second.part]).toEqual([
        { number: 0, first: 1, rows: 100 },
        { number: 1, first: 101, rows: 50 },
      ]);
      expect(first.bulk).toMatchObject({ id, family: 'fam_a', header: 'code', upload: 'upload' });
      expect(await claim()).toBeNull();
      await second.complete({ rows: 50, errors: 3 });
      expect(await jobs().get('fam_a', id)).toMatchObject({
        state: 'running',
        doneRows: 50,
        errorRows: 3,
        finishedAt: null,
      });
      expect(await jobs().doneParts(id)).toEqual([1]);
      await first.complete({ rows: 100, errors: 0 });
      expect(await jobs().get('fam_a', id)).toMatchObject({ state: 'done', doneRows: 150, finishedAt: harness.now });
      expect(await jobs().doneParts(id)).toEqual([0, 1]);
    });

    it('fetches the input of a job with a source URL, then starts the job and deletes the URL', async () => {
      const claimInput = () => jobs().claimInput('w', MINUTE);
      const created = await jobs().create({
        ...LOOKUP,
        family: 'fam_a',
        source: 'https://files.example/?signature=a1',
      });
      expect(created).toMatchObject({ state: 'running', rows: 0, startedAt: null, finishedAt: null, inputError: null });
      const [failing, ...others] = [await claimInput(), await claimInput()];
      expect(others).toEqual([null]);
      expect(failing!.bulk).toMatchObject({ id: created.id, source: 'https://files.example/?signature=a1' });
      await failing!.recordError({ code: 'invalid_request', message: 'The file has no rows.' });
      await failing!.fail('invalid_request', { retryAt: null });
      const failed = await jobs().get('fam_a', created.id);
      expect(failed).toMatchObject({
        state: 'failed',
        finishedAt: harness.now,
        inputError: { code: 'invalid_request' },
      });

      expect(await jobs().redrive('fam_a', created.id)).toMatchObject({ state: 'running', inputError: null });
      const input = (await claimInput())!;
      await jobs().beginUpload(created.id, 'upload');
      await jobs().start(created.id, { upload: 'upload', header: '', parts: PARTS, quota: 1_000 });
      await input.complete();
      expect(await claimInput()).toBeNull();
      for (const part of [(await claim())!, (await claim())!]) await part.complete({ rows: part.part.rows, errors: 0 });
      expect(await jobs().get('fam_a', created.id)).toMatchObject({ state: 'done', doneRows: 150, source: null });
      expect(await jobs().doneParts(created.id)).toEqual([0, 1]);
    });

    it('cancels a job while a worker is fetching its input', async () => {
      const { id } = await jobs().create({ ...LOOKUP, family: 'fam_a', source: 'https://files.example/' });
      const input = (await jobs().claimInput('w', MINUTE))!;
      expect(await jobs().cancel('fam_a', id)).toMatchObject({ state: 'cancelled', finishedAt: harness.now });
      expect(await input.heartbeat()).toBe('cancelled');
      await expect(jobs().beginUpload(id, 'upload')).rejects.toMatchObject({ code: 'bulk_started' });
    });

    it('alternates between key families when claiming parts', async () => {
      const many = Array.from({ length: 50 }, (_, i) => ({ first: i + 1, rows: 1 }));
      await start('fam_a', many);
      const { family } = (await claim())!.bulk;
      expect(family).toBe('fam_a');
      await start('fam_b', many);
      const next = [await claim(), await claim(), await claim(), await claim()];
      expect(next.map(part => part!.bulk.family).sort()).toEqual(['fam_a', 'fam_a', 'fam_b', 'fam_b']);
    });

    it('doesn’t claim any parts of an excluded family, regardless of how many parts the family has', async () => {
      await start(
        'fam_a',
        Array.from({ length: 50 }, (_, i) => ({ first: i + 1, rows: 1 })),
      );
      const claimOther = () => jobs().claim('w', MINUTE, { exceptTenants: ['fam_a'] });
      expect((await claim())?.bulk.family).toBe('fam_a');
      expect(await claimOther()).toBeNull();
      await start('fam_b');
      expect((await claimOther())?.bulk.family).toBe('fam_b');
      expect((await claim())?.bulk.family).toBe('fam_a');
    });

    it('lists a family’s jobs, newest first, with pagination and an operation filter', async () => {
      const ids: string[] = [];
      for (let i = 0; i < 5; i++) {
        ids.unshift((await start('fam_a')).id);
        harness.now += 1;
      }
      await (await claim())!.complete({ rows: 100, errors: 2 });
      const { id: scan } = await jobs().create({ ...LOOKUP, family: 'fam_a', operation: 'pixel.scan' });
      const idsOf = async (query: Parameters<BulkJobs['list']>[1]) =>
        (await jobs().list('fam_a', query)).map(({ id }) => id);
      expect(await idsOf({ limit: 3 })).toEqual([scan, ...ids.slice(0, 2)]);
      expect(await idsOf({ limit: 9, before: ids[1] })).toEqual(ids.slice(2));
      expect(await idsOf({ limit: 9, operations: ['pixel.scan'] })).toEqual([scan]);
      const [newest, ...others] = await jobs().list('fam_a', { limit: 9 });
      expect(newest).toMatchObject({ state: 'awaiting_input', doneRows: 0, finishedAt: null });
      expect(others.at(-1)).toMatchObject({ id: ids.at(-1), state: 'running', doneRows: 100, errorRows: 2 });
      expect(others[0]).toMatchObject({ state: 'running', doneRows: 0, errorRows: 0 });
    });

    it('hides a bulk job from other key families', async () => {
      const { id } = await start('fam_a');
      for (const ask of ['get', 'cancel', 'redrive'] as const)
        await expect(jobs()[ask]('fam_b', id)).rejects.toMatchObject({ code: 'bulk_unknown' });
      expect(await jobs().list('fam_b', { limit: 9 })).toEqual([]);
      expect(await jobs().list('fam_a', { limit: 9 })).toMatchObject([{ id }]);
    });

    it('cancels a bulk job’s unfinished parts and keeps the results of its finished parts', async () => {
      const { id } = await start('fam_a');
      await (await claim())!.complete({ rows: 100, errors: 0 });
      const running = (await claim())!;
      expect(await jobs().cancel('fam_a', id)).toMatchObject({ state: 'cancelled', doneRows: 100 });
      expect(await running.heartbeat()).toBe('cancelled');
      await expect(running.complete({ rows: 50, errors: 0 })).rejects.toMatchObject({ code: 'lease_lost' });
      expect(await jobs().doneParts(id)).toEqual([0]);
      await expect(jobs().beginUpload(id, 'late')).rejects.toMatchObject({ code: 'bulk_started' });
    });

    it('reruns a bulk job’s failed parts when the job is redriven', async () => {
      const { id } = await start('fam_a', [{ first: 1, rows: 1 }]);
      await (await claim())!.fail('unavailable', { retryAt: null });
      expect(await jobs().get('fam_a', id)).toMatchObject({ state: 'failed', doneRows: 0 });
      expect(await jobs().redrive('fam_a', id)).toMatchObject({ id, state: 'running', finishedAt: null });
      await (await claim())!.complete({ rows: 1, errors: 0 });
      expect(await jobs().get('fam_a', id)).toMatchObject({ state: 'done', doneRows: 1 });
    });

    it('shows an operator the number of live jobs, the dead letters, and the time since which the next job has been due', async () => {
      const { queue } = jobs();
      expect(await queue.measure()).toEqual({ live: 0, failed: 0, dueSince: null });
      const { id } = await start('fam_a');
      harness.now += MINUTE;
      expect(await queue.measure()).toEqual({ live: 2, failed: 0, dueSince: harness.now - MINUTE });
      await (await claim())!.fail('unavailable', { retryAt: null });
      const running = await claim();
      expect(await queue.measure()).toEqual({ live: 1, failed: 1, dueSince: null });
      expect(await queue.deadLetters({ limit: 9 })).toMatchObject([
        { tenant: 'fam_a', key: `${id}/000000`, error: 'unavailable', attempts: 1 },
      ]);
      await running!.complete({ rows: 50, errors: 0 });
      await jobs().redrive('fam_a', id);
      harness.now += MINUTE;
      expect(await queue.measure()).toEqual({ live: 1, failed: 0, dueSince: harness.now - MINUTE });
    });

    it('doesn’t run the failed parts of a canceled job again', async () => {
      const { id } = await start('fam_a');
      await (await claim())!.fail('unavailable', { retryAt: null });
      await jobs().cancel('fam_a', id);
      expect(await jobs().redrive('fam_a', id)).toMatchObject({ state: 'cancelled' });
      expect(await claim()).toBeNull();
    });

    it('rejects a bulk upload after another upload replaces it', async () => {
      const { id } = await jobs().create({ ...LOOKUP, family: 'fam_a' });
      await jobs().beginUpload(id, 'first');
      await jobs().beginUpload(id, 'second');
      const input = { header: '', parts: PARTS, quota: 1_000 };
      await expect(jobs().start(id, { ...input, upload: 'first' })).rejects.toMatchObject({ code: 'bulk_started' });
      expect(await jobs().start(id, { ...input, upload: 'second' })).toMatchObject({ state: 'running' });
    });

    it('completes other writes while a job with 10,000 parts starts or is redriven', async () => {
      const large = Array.from({ length: 10_000 }, (_, i) => ({ first: i + 1, rows: 1 }));
      const ended: string[] = [];
      const starting = start('fam_a', large, large.length).finally(() => ended.push('started'));
      await start('fam_b');
      ended.push('other');
      expect((await claim())?.bulk.family).toBe('fam_b');
      const { id } = await starting;
      expect(ended).toEqual(['other', 'started']);
      expect(await jobs().get('fam_a', id)).toMatchObject({ state: 'running', parts: 10_000, doneRows: 0 });

      await harness.store.sql(`update bulk_parts set state = 'failed', live_key = null, due_at = null
        where key like '${id}/%'`);
      expect(await jobs().redrive('fam_a', id)).toMatchObject({ state: 'running' });
      expect(
        await harness.store.sql(`select distinct state, attempts from bulk_parts where key like '${id}/%'`),
      ).toEqual([{ state: 'queued', attempts: 0 }]);
    });

    it('starts a job after an earlier start was interrupted while storing the parts', async () => {
      const { id } = await jobs().create({ ...LOOKUP, family: 'fam_a' });
      await jobs().beginUpload(id, 'first');
      const interrupt = () => {
        throw new Error('interrupted');
      };
      const large = Array.from({ length: 2_000 }, (_, i) => ({ first: i + 1, rows: 1 }));
      const parts = large.with(1_999, Object.assign(large[1_999]!, { toJSON: interrupt }));
      const interrupted = jobs().start(id, { upload: 'first', header: '', parts, quota: 2_000 });
      await expect(interrupted).rejects.toThrow('interrupted');
      expect((await harness.store.sql('select id from bulk_parts limit 1')).length).toBe(1);
      expect(await jobs().get('fam_a', id)).toMatchObject({ state: 'awaiting_input', startedAt: null });
      expect(await claim()).toBeNull();

      await jobs().beginUpload(id, 'second');
      await jobs().start(id, { upload: 'second', header: '', parts: PARTS, quota: 1_000 });
      for (const part of [(await claim())!, (await claim())!]) await part.complete({ rows: part.part.rows, errors: 0 });
      expect(await claim()).toBeNull();
      expect(await jobs().get('fam_a', id)).toMatchObject({ state: 'done', rows: 150, doneRows: 150 });
    });

    it('limits a key family’s daily rows and unfinished bulk jobs', async () => {
      await start('fam_a', PARTS, 150);
      await expect(start('fam_a', PARTS, 299)).rejects.toMatchObject({ code: 'bulk_quota' });
      await start('fam_b', PARTS, 150);
      harness.now += DAY;
      await start('fam_a', PARTS, 150);
      const unfinished = (await jobs().list('fam_a', { limit: 9 })).length;
      for (let count = unfinished; count < 200; count++) await jobs().create({ ...LOOKUP, family: 'fam_a' });
      await expect(jobs().create({ ...LOOKUP, family: 'fam_a' })).rejects.toMatchObject({ code: 'bulk_limit' });
    });

    it('deletes old bulk jobs and their parts, but only after deleting their files', async () => {
      const { id } = await start('fam_a');
      const swept: string[] = [];
      const removeFiles = async (id: string) => void swept.push(id);
      await jobs().sweep(harness.now, removeFiles);
      expect(swept).toEqual([]);
      const failing = jobs().sweep(harness.now + 1, () => Promise.reject(new Error('disk failed')));
      await expect(failing).rejects.toThrow('disk failed');
      expect(await jobs().find(id)).toMatchObject({ id });
      await jobs().sweep(harness.now + 1, removeFiles);
      expect(swept).toEqual([id]);
      expect(await jobs().find(id)).toBeNull();
      expect(await claim()).toBeNull();
    });
  });
}
