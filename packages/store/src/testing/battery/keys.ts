import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KEY_SCOPES, type KeyRecord, StoreError } from '../../index.ts';
import { DAY, HOUR, START, type World } from './world.ts';

export function registerKeys(world: World): void {
  describe('keys', () => {
    it.each(KEY_SCOPES)('issues a key of scope %s that authenticates', async scope => {
      const { key, record } = await world.store.keys.issue({ scope, note: 'delegate:on', actor: 'operator' });
      expect(key).toMatch(new RegExp(`^cmpl_live_${scope}_[0-9A-Za-z]{38}$`));
      expect(record).toEqual({
        id: expect.stringMatching(/^key_/),
        family: expect.stringMatching(/^fam_/),
        scope,
        note: 'delegate:on',
        prefix: key.slice(0, `cmpl_live_${scope}_`.length + 6),
        last4: key.slice(-4),
        status: 'active',
        createdAt: START,
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null,
      } satisfies KeyRecord);
      expect(await world.store.keys.authenticate(key)).toEqual(record);
    });

    it('refuses malformed and unknown keys without an error', async () => {
      const other = await world.openFresh({ clock: () => world.now });
      const { key } = await other.keys.issue({ scope: 'all', actor: 'operator' });
      await other.close();
      for (const presented of [
        key,
        '',
        'cmpl_live_all_',
        `${key} `,
        `${key}\n`,
        '\0',
        "' or 1=1 --",
        '🙂'.repeat(1000),
      ]) {
        expect(await world.store.keys.authenticate(presented)).toBeNull();
      }
    });

    it('refuses a typo without asking the database', async () => {
      const { key } = await world.issue();
      await world.store.close();
      expect(await world.store.keys.authenticate(key.replace('live', 'test'))).toBeNull();
      expect(await world.store.keys.authenticate(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)).toBeNull();
      await expect(world.store.keys.authenticate(key)).rejects.toThrow();
    });

    it('never gives the key itself in a record, a list or the audit log', async () => {
      const { key, record } = await world.issue();
      await world.store.keys.rotate(record.id, { overlap: '1h', actor: 'operator' });
      const seen = JSON.stringify([
        await world.store.keys.list(),
        await world.store.audit.list({ limit: 100 }),
        record,
      ]);
      expect(seen).toContain(record.last4);
      expect(seen).not.toContain(key);
      expect(seen).not.toContain(key.slice(-38));
    });

    it.each([
      ['now', 0],
      ['1h', HOUR],
      ['24h', DAY],
      ['7d', 7 * DAY],
    ] as const)(
      'rotates with overlap %s: the old key works until then and not a moment longer',
      async (overlap, ms) => {
        const old = await world.issue('founding tier');
        world.now += 1000;
        const next = await world.store.keys.rotate(old.record.id, { overlap, actor: 'operator' });
        expect(next.record).toMatchObject({
          family: old.record.family,
          scope: 'tariff',
          note: 'founding tier',
          status: 'active',
          createdAt: world.now,
          expiresAt: null,
        });
        expect(next.key).not.toBe(old.key);

        if (ms > 0) {
          world.now += ms - 1;
          expect(await world.store.keys.authenticate(old.key)).toMatchObject({
            status: 'expiring',
            expiresAt: world.now + 1,
          });
          world.now += 1;
        }
        expect(await world.store.keys.authenticate(old.key)).toBeNull();
        expect(await world.store.keys.authenticate(next.key)).toEqual(next.record);
      },
    );

    it('keeps one family and one limit through 200 rotations', async () => {
      let { key, record } = await world.issue();
      const { family } = record;
      for (let i = 0; i < 200; i++) {
        ({ key, record } = await world.store.keys.rotate(record.id, { overlap: 'now', actor: 'operator' }));
        expect(record.family).toBe(family);
      }
      const all = await world.store.keys.list({ includeEnded: true });
      expect(all).toHaveLength(201);
      expect(new Set(all.map(each => each.family))).toEqual(new Set([family]));
      expect(await world.store.keys.list()).toEqual([record]);
      expect(await world.store.keys.authenticate(key)).toEqual(record);

      const takes = [];
      for (const each of all.slice(0, 50)) takes.push((await world.store.limits.take(each.family)).allowed);
      expect(takes.filter(allowed => allowed)).toHaveLength(5);
    });

    it('gives one successor when two operators rotate the same key at once', async () => {
      const { record } = await world.issue();
      const rotations = await Promise.allSettled(
        [1, 2, 3].map(() => world.store.keys.rotate(record.id, { overlap: '24h', actor: 'operator' })),
      );
      expect(rotations.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await world.store.keys.list()).toHaveLength(2);
      for (const rotation of rotations) {
        if (rotation.status === 'rejected') expect(rotation.reason).toMatchObject({ code: 'key_rotated' });
      }
    });

    it('does not rotate an ended key', async () => {
      const revoked = await world.issue();
      await world.store.keys.revoke(revoked.record.id, { actor: 'operator' });
      const expired = await world.issue();
      await world.store.keys.rotate(expired.record.id, { overlap: 'now', actor: 'operator' });
      for (const { record } of [revoked, expired]) {
        const refusal = await world.store.keys
          .rotate(record.id, { overlap: '1h', actor: 'operator' })
          .catch(error => error);
        expect(refusal).toBeInstanceOf(StoreError);
        expect(refusal.code).toBe('key_ended');
      }
    });

    it('revokes at once and for good, also within an overlap', async () => {
      const { key, record } = await world.issue();
      await world.store.keys.rotate(record.id, { overlap: '7d', actor: 'operator' });
      world.now += HOUR;
      const revoked = await world.store.keys.revoke(record.id, { actor: 'operator' });
      expect(revoked).toMatchObject({ status: 'revoked', revokedAt: world.now });
      expect(await world.store.keys.authenticate(key)).toBeNull();

      const entries = await world.store.audit.list({ limit: 100 });
      world.now += HOUR;
      expect(await world.store.keys.revoke(record.id, { actor: 'operator' })).toEqual(revoked);
      expect(await world.store.audit.list({ limit: 100 })).toEqual(entries);
    });

    it('updates scope and note, each alone or both', async () => {
      const { key, record } = await world.issue('first');
      const { id } = record;
      expect(await world.store.keys.update(id, { note: 'delegate:on', actor: 'operator' })).toEqual({
        ...record,
        note: 'delegate:on',
      });
      expect(await world.store.keys.update(id, { scope: 'all', actor: 'operator' })).toMatchObject({
        scope: 'all',
        note: 'delegate:on',
      });
      expect(await world.store.keys.update(id, { scope: 'pixel', note: '', actor: 'operator' })).toMatchObject({
        scope: 'pixel',
        note: '',
      });
      expect(await world.store.keys.authenticate(key)).toMatchObject({ scope: 'pixel', note: '' });
    });

    it('lists newest first, ended keys only when asked', async () => {
      const [first, second, third] = [await world.issue('1'), await world.issue('2'), await world.issue('3')];
      await world.store.keys.revoke(second.record.id, { actor: 'operator' });
      expect((await world.store.keys.list()).map(({ note }) => note)).toEqual(['3', '1']);
      const all = await world.store.keys.list({ includeEnded: true });
      expect(all.map(({ id }) => id)).toEqual([third, second, first].map(({ record }) => record.id));
      expect(all.map(({ status }) => status)).toEqual(['active', 'revoked', 'active']);
    });

    it.each([
      ['rotate', (id: string) => world.store.keys.rotate(id, { overlap: 'now', actor: 'operator' })],
      ['revoke', (id: string) => world.store.keys.revoke(id, { actor: 'operator' })],
      ['update', (id: string) => world.store.keys.update(id, { note: 'x', actor: 'operator' })],
      ['usage.record', (id: string) => world.store.usage.record({ keyId: id, operation: 'x' })],
    ])('%s of an unknown id is refused with a code and a sentence', async (_, call) => {
      const refusal = await call('key_nobody').catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StoreError);
      expect(refusal).toMatchObject({ code: 'key_unknown', message: expect.stringContaining('key_nobody') });
      expect(await world.store.audit.list({ limit: 10 })).toEqual([]);
    });

    it('keeps any text of a note exactly', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.string({ unit: 'grapheme', maxLength: 200 }).map(text => text.replaceAll('\0', '')),
          async note => {
            expect((await world.issue(note)).record.note).toBe(note);
          },
        ),
        { numRuns: 20 },
      );
    });
  });
}
