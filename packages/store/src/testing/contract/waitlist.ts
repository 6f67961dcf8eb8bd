import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WaitlistForm } from '../../index.ts';
import { MINUTE, START, type StoreHarness } from './harness.ts';

const FORM: WaitlistForm = {
  company: 'Acme Hardware',
  useCase: 'Check our catalog\nbefore each order',
  expectedVolume: '2,000 a month',
  email: 'buyer@acme.test',
};

export function registerWaitlist(harness: StoreHarness): void {
  describe('waitlist', () => {
    const ask = async (form: Partial<WaitlistForm> = {}) => {
      harness.now += MINUTE;
      await harness.store.waitlist.ask({ ...FORM, ...form });
      const waiting = await harness.store.waitlist.list({ status: 'waiting', limit: 100 });
      return waiting.reduce((newest, request) => (request.id > newest.id ? request : newest));
    };

    it('stores a new request unchanged, with the status `waiting`', async () => {
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
      expect(await harness.store.waitlist.find(request.id)).toEqual(request);
      expect(await harness.store.waitlist.counts()).toEqual({ waiting: 1, approved: 0, declined: 0 });
    });

    it('accepts an email address that is already on the list, and reveals the duplicate only to operators', async () => {
      await ask();
      await ask({ email: 'other@acme.test' });
      const again = await ask({ email: 'Buyer@ACME.test', useCase: 'Something else' });
      expect(again).toMatchObject({ useCase: 'Something else', sameEmail: 2 });
      const waiting = await harness.store.waitlist.list({ status: 'waiting', limit: 10 });
      expect(waiting.map(({ sameEmail }) => sameEmail)).toEqual([2, 1, 2]);
    });

    it('lists pending requests oldest first, starting with those from founding customers, and lists decided requests newest first', async () => {
      const [first, second, third] = [await ask(), await ask(), await ask()];
      await harness.store.waitlist.setFounding(second.id, { founding: true, actor: 'operator' });
      const order = async (status: 'waiting' | 'declined') =>
        (await harness.store.waitlist.list({ status, limit: 10 })).map(({ id }) => id);
      expect(await order('waiting')).toEqual([second.id, first.id, third.id]);
      for (const { id } of [third, first]) {
        harness.now += 1;
        await harness.store.waitlist.decline(id, { actor: 'operator' });
      }
      expect(await order('declined')).toEqual([first.id, third.id]);
      expect(await harness.store.waitlist.list({ status: 'declined', limit: 1 })).toHaveLength(1);
    });

    it('issues a key on approval and grants delegate access only if `delegate` is set', async () => {
      const request = await ask();
      const { key, record } = await harness.store.waitlist.approve(request.id, { scope: 'entry', actor: 'operator' });
      expect(record).toMatchObject({ scope: 'entry', note: 'Acme Hardware' });
      expect(await harness.store.keys.authenticate(key)).toEqual(record);
      expect(await harness.store.waitlist.find(request.id)).toEqual({
        ...request,
        status: 'approved',
        decidedAt: harness.now,
        keyId: record.id,
      });
      const open = await harness.store.waitlist.approve((await ask()).id, {
        scope: 'all',
        delegate: true,
        actor: 'operator',
      });
      expect(open.record.note).toBe('Acme Hardware; delegate:on');
    });

    it('gives founding customers delegate access automatically', async () => {
      const { id } = await ask();
      await harness.store.waitlist.setFounding(id, { founding: true, actor: 'operator' });
      const { record } = await harness.store.waitlist.approve(id, { scope: 'all', actor: 'operator' });
      expect(record.note).toBe('Acme Hardware; delegate:on');
    });

    it('never lets text in a company name enable a feature flag', async () => {
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
          const { record } = await harness.store.waitlist.approve(id, { scope: 'all', actor: 'operator' });
          expect(record.note).not.toMatch(/delegate:on/);
        }),
        { numRuns: 15 },
      );
    });

    it('rejects a second decision without issuing a key', async () => {
      const [approved, declined] = [await ask(), await ask()];
      await harness.store.waitlist.approve(approved.id, { scope: 'all', actor: 'operator' });
      await harness.store.waitlist.decline(declined.id, { actor: 'operator' });
      const { waitlist } = harness.store;
      const decided = { code: 'request_decided' };
      for (const { id } of [approved, declined]) {
        await expect(waitlist.approve(id, { scope: 'all', actor: 'operator' })).rejects.toMatchObject(decided);
        await expect(waitlist.decline(id, { actor: 'operator' })).rejects.toMatchObject(decided);
        await expect(waitlist.setFounding(id, { founding: true, actor: 'operator' })).rejects.toMatchObject(decided);
      }
      expect(await harness.store.keys.list()).toHaveLength(1);
      expect(await waitlist.counts()).toEqual({ waiting: 0, approved: 1, declined: 1 });
      const unknown = { code: 'request_unknown' };
      await expect(waitlist.find('req_nothing')).rejects.toMatchObject(unknown);
      await expect(waitlist.approve('req_nothing', { scope: 'all', actor: 'a' })).rejects.toMatchObject(unknown);
    });

    it('issues only one key for concurrent approvals', async () => {
      const { id } = await ask();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 5 }, () => harness.store.waitlist.approve(id, { scope: 'all', actor: 'operator' })),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await harness.store.keys.list()).toHaveLength(1);
    });

    it('records every decision in the audit log, with the key ID but without the email address', async () => {
      const { id } = await ask();
      await harness.store.waitlist.setFounding(id, { founding: true, actor: 'anna' });
      harness.now += 1;
      const { record } = await harness.store.waitlist.approve(id, { scope: 'all', actor: 'ben', requestId: 'req-7' });
      const log = await harness.store.audit.list({ limit: 10 });
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

    it("stores neither the key nor the decision if either can't be written", async () => {
      const request = await ask();
      const actor = null as unknown as string;
      await expect(harness.store.waitlist.approve(request.id, { scope: 'all', actor })).rejects.toThrow();
      expect(await harness.store.waitlist.find(request.id)).toEqual(request);
      expect(await harness.store.keys.list()).toEqual([]);
    });
  });
}
