import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WaitlistForm } from '../../index.ts';
import { MINUTE, START, type World } from './world.ts';

const FORM: WaitlistForm = {
  company: 'Acme Hardware',
  useCase: 'Check our catalog\nbefore each order',
  expectedVolume: '2,000 a month',
  email: 'buyer@acme.test',
};

export function registerWaitlist(world: World): void {
  describe('waitlist', () => {
    const ask = async (form: Partial<WaitlistForm> = {}) => {
      world.now += MINUTE;
      await world.store.waitlist.ask({ ...FORM, ...form });
      const waiting = await world.store.waitlist.list({ status: 'waiting', limit: 100 });
      return waiting.reduce((newest, request) => (request.id > newest.id ? request : newest));
    };

    it('keeps what was asked until someone decides', async () => {
      const request = await ask();
      expect(request).toEqual({
        ...FORM,
        id: expect.stringMatching(/^req_/),
        status: 'waiting',
        founding: false,
        askedAt: START + MINUTE,
        decidedAt: null,
        keyId: null,
        sameEmail: 1,
      });
      expect(await world.store.waitlist.find(request.id)).toEqual(request);
      expect(await world.store.waitlist.counts()).toEqual({ waiting: 1, approved: 0, declined: 0 });
    });

    it('takes the same address again, and tells the operator alone', async () => {
      await ask();
      await ask({ email: 'other@acme.test' });
      const again = await ask({ email: 'Buyer@ACME.test', useCase: 'Something else' });
      expect(again).toMatchObject({ useCase: 'Something else', sameEmail: 2 });
      const waiting = await world.store.waitlist.list({ status: 'waiting', limit: 10 });
      expect(waiting.map(({ sameEmail }) => sameEmail)).toEqual([2, 1, 2]);
    });

    it('lists the founding tier first, then who waits longest; decided requests newest first', async () => {
      const [first, second, third] = [await ask(), await ask(), await ask()];
      await world.store.waitlist.setFounding(second.id, { founding: true, actor: 'operator' });
      const order = async (status: 'waiting' | 'declined') =>
        (await world.store.waitlist.list({ status, limit: 10 })).map(({ id }) => id);
      expect(await order('waiting')).toEqual([second.id, first.id, third.id]);
      for (const { id } of [third, first]) {
        world.now += 1;
        await world.store.waitlist.decline(id, { actor: 'operator' });
      }
      expect(await order('declined')).toEqual([first.id, third.id]);
      expect(await world.store.waitlist.list({ status: 'declined', limit: 1 })).toHaveLength(1);
    });

    it('issues a key on approval, which opens the beta gate only when that was asked', async () => {
      const request = await ask();
      const { key, record } = await world.store.waitlist.approve(request.id, { scope: 'entry', actor: 'operator' });
      expect(record).toMatchObject({ scope: 'entry', note: 'Acme Hardware' });
      expect(await world.store.keys.authenticate(key)).toEqual(record);
      expect(await world.store.waitlist.find(request.id)).toEqual({
        ...request,
        status: 'approved',
        decidedAt: world.now,
        keyId: record.id,
      });
      const open = await world.store.waitlist.approve((await ask()).id, {
        scope: 'all',
        delegate: true,
        actor: 'operator',
      });
      expect(open.record.note).toBe('Acme Hardware; delegate:on');
    });

    it('opens the beta gate for the founding tier by itself', async () => {
      const { id } = await ask();
      await world.store.waitlist.setFounding(id, { founding: true, actor: 'operator' });
      const { record } = await world.store.waitlist.approve(id, { scope: 'all', actor: 'operator' });
      expect(record.note).toBe('Acme Hardware; delegate:on');
    });

    it('never lets a company’s name open a gate', async () => {
      const company = fc.oneof(
        fc.string({ maxLength: 40 }),
        fc.constantFrom(
          'delegate:on',
          'Acme delegate:on',
          'x;delegate:on;',
          'delegate:on\tdelegate:on',
          'delegate::on',
        ),
      );
      await fc.assert(
        fc.asyncProperty(company, async name => {
          const { id } = await ask({ company: name.replaceAll('\0', '') });
          const { record } = await world.store.waitlist.approve(id, { scope: 'all', actor: 'operator' });
          expect(record.note).not.toMatch(/delegate:on/);
        }),
        { numRuns: 15 },
      );
    });

    it('decides once: a second decision changes nothing and issues nothing', async () => {
      const [approved, declined] = [await ask(), await ask()];
      await world.store.waitlist.approve(approved.id, { scope: 'all', actor: 'operator' });
      await world.store.waitlist.decline(declined.id, { actor: 'operator' });
      const { waitlist } = world.store;
      const decided = { code: 'request_decided' };
      for (const { id } of [approved, declined]) {
        await expect(waitlist.approve(id, { scope: 'all', actor: 'operator' })).rejects.toMatchObject(decided);
        await expect(waitlist.decline(id, { actor: 'operator' })).rejects.toMatchObject(decided);
        await expect(waitlist.setFounding(id, { founding: true, actor: 'operator' })).rejects.toMatchObject(decided);
      }
      expect(await world.store.keys.list()).toHaveLength(1);
      expect(await waitlist.counts()).toEqual({ waiting: 0, approved: 1, declined: 1 });
      const unknown = { code: 'request_unknown' };
      await expect(waitlist.find('req_nothing')).rejects.toMatchObject(unknown);
      await expect(waitlist.approve('req_nothing', { scope: 'all', actor: 'a' })).rejects.toMatchObject(unknown);
    });

    it('issues one key when several approve at once', async () => {
      const { id } = await ask();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 5 }, () => world.store.waitlist.approve(id, { scope: 'all', actor: 'operator' })),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await world.store.keys.list()).toHaveLength(1);
    });

    it('writes each decision down, with the key and without the address', async () => {
      const { id } = await ask();
      await world.store.waitlist.setFounding(id, { founding: true, actor: 'anna' });
      world.now += 1;
      const { record } = await world.store.waitlist.approve(id, { scope: 'all', actor: 'ben', requestId: 'req-7' });
      const log = await world.store.audit.list({ limit: 10 });
      const state = { company: 'Acme Hardware', status: 'waiting', founding: true, keyId: null };
      const changes = log.filter(({ subject }) => subject === id);
      expect(changes).toMatchObject([
        {
          ...{ actor: 'ben', action: 'waitlist.approve', requestId: 'req-7', before: state },
          after: { ...state, status: 'approved', keyId: record.id },
        },
        { actor: 'anna', action: 'waitlist.founding', before: { ...state, founding: false }, after: state },
      ]);
      expect(log).toContainEqual(expect.objectContaining({ action: 'key.issue', subject: record.id, actor: 'ben' }));
      expect(JSON.stringify(log)).not.toContain('@');
    });

    it('keeps neither the key nor the decision when one of them cannot be written', async () => {
      const request = await ask();
      const actor = null as unknown as string;
      await expect(world.store.waitlist.approve(request.id, { scope: 'all', actor })).rejects.toThrow();
      expect(await world.store.waitlist.find(request.id)).toEqual(request);
      expect(await world.store.keys.list()).toEqual([]);
    });
  });
}
