import { describe, expect, it } from 'vitest';
import { HOUR, START, type World } from './world.ts';

export function registerAudit(world: World): void {
  describe('audit', () => {
    it('writes down each change of a key: who, what, before and after', async () => {
      const { record } = await world.store.keys.issue({ scope: 'all', note: 'a', actor: 'anna', requestId: 'req-1' });
      world.now += 1;
      await world.store.keys.update(record.id, { note: 'b', actor: 'ben' });
      world.now += 1;
      const successor = await world.store.keys.rotate(record.id, { overlap: '1h', actor: 'cleo' });
      world.now += 1;
      await world.store.keys.revoke(record.id, { actor: 'dora', requestId: 'req-4' });

      const { id: subject, family, prefix, last4 } = record;
      const state = { family, scope: 'all', note: 'b', prefix, last4, expiresAt: null, revokedAt: null };
      const expiring = { ...state, expiresAt: START + 2 + HOUR };
      const id = expect.stringMatching(/^aud_/);
      expect(await world.store.audit.list({ limit: 10 })).toEqual([
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

    it('pages from the newest to the oldest without a gap or a repetition', async () => {
      const written = [];
      for (let i = 0; i < 25; i++) {
        const entry = { actor: 'operator', action: 'test', subject: `${i}`, before: null, after: { nested: { i } } };
        written.unshift(await world.store.audit.append(entry));
        world.now += i % 3;
      }
      const read = [];
      for (let before: string | undefined; ; ) {
        const page = await world.store.audit.list({ limit: 10, before });
        if (page.length === 0) break;
        read.push(...page);
        before = page.at(-1)?.id;
      }
      expect(read).toEqual(written);
    });

    it('keeps neither the key nor the entry when one of them cannot be written', async () => {
      await expect(world.store.keys.issue({ scope: 'all', actor: null as unknown as string })).rejects.toThrow();
      expect(await world.store.keys.list({ includeEnded: true })).toEqual([]);
      expect(await world.store.audit.list({ limit: 10 })).toEqual([]);
    });
  });
}
