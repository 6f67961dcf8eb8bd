import { describe, expect, it } from 'vitest';
import { HOUR, START, type StoreHarness } from './harness.ts';

export function registerAudit(harness: StoreHarness): void {
  describe('audit', () => {
    it('records the actor, the action, and the previous and new state for each key change', async () => {
      const { record } = await harness.store.keys.issue({ scope: 'all', note: 'a', actor: 'anna', requestId: 'req-1' });
      harness.now += 1;
      await harness.store.keys.update(record.id, { note: 'b', actor: 'ben' });
      harness.now += 1;
      const successor = await harness.store.keys.rotate(record.id, { overlap: '1h', actor: 'cleo' });
      harness.now += 1;
      await harness.store.keys.revoke(record.id, { actor: 'dora', requestId: 'req-4' });

      const { id: subject, family, prefix, last4 } = record;
      const state = { family, scope: 'all', note: 'b', prefix, last4, expiresAt: null, revokedAt: null };
      const expiring = { ...state, expiresAt: START + 2 + HOUR };
      const id = expect.stringMatching(/^aud_/);
      expect(await harness.store.audit.list({ limit: 10 })).toEqual([
        {
          ...{ id, at: START + 3, actor: 'dora', action: 'key.revoke', subject, requestId: 'req-4' },
          before: expiring,
          after: { ...expiring, revokedAt: START + 3 },
        },
        {
          ...{ id, at: START + 2, actor: 'cleo', action: 'key.rotate', subject, requestId: null },
          before: state,
          after: { ...expiring, successor: successor.record.id },
        },
        {
          ...{ id, at: START + 1, actor: 'ben', action: 'key.update', subject, requestId: null },
          before: { ...state, note: 'a' },
          after: state,
        },
        {
          ...{ id, at: START, actor: 'anna', action: 'key.issue', subject, requestId: 'req-1' },
          before: null,
          after: { ...state, note: 'a' },
        },
      ]);
    });

    it('pages through audit entries from newest to oldest without gaps or repetitions', async () => {
      const written = [];
      for (let i = 0; i < 25; i++) {
        const entry = { actor: 'operator', action: 'test', subject: `${i}`, before: null, after: { nested: { i } } };
        written.unshift(await harness.store.audit.append(entry));
        harness.now += i % 3;
      }
      const read = [];
      for (let before: string | undefined; ; ) {
        const page = await harness.store.audit.list({ limit: 10, before });
        if (page.length === 0) break;
        read.push(...page);
        before = page.at(-1)?.id;
      }
      expect(read).toEqual(written);
    });

    it("stores neither a key nor its audit entry if either can't be written", async () => {
      await expect(harness.store.keys.issue({ scope: 'all', actor: null as unknown as string })).rejects.toThrow();
      expect(await harness.store.keys.list({ includeEnded: true })).toEqual([]);
      expect(await harness.store.audit.list({ limit: 10 })).toEqual([]);
    });
  });
}
