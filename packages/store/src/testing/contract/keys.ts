import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KEY_SCOPES, type KeyRecord, StoreError } from '../../index.ts';
import { DAY, HOUR, START, type StoreHarness } from './harness.ts';

export function registerKeys(harness: StoreHarness): void {
  describe('keys', () => {
    it.each(KEY_SCOPES)('issues a valid key with the scope %s', async scope => {
      const { key, record } = await harness.store.keys.issue({ scope, note: 'delegate:on', actor: 'operator' });
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
      expect(await harness.store.keys.authenticate(key)).toEqual(record);
    });

    it('rejects malformed and unknown keys without throwing an error', async () => {
      const other = await harness.openFresh({ clock: () => harness.now });
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
        expect(await harness.store.keys.authenticate(presented)).toBeNull();
      }
    });

    it('rejects a mistyped key without querying the database', async () => {
      const { key } = await harness.issue();
      await harness.store.close();
      expect(await harness.store.keys.authenticate(key.replace('live', 'test'))).toBeNull();
      expect(await harness.store.keys.authenticate(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)).toBeNull();
      await expect(harness.store.keys.authenticate(key)).rejects.toThrow();
    });

    it('never includes a full key in a record, a list, or the audit log', async () => {
      const { key, record } = await harness.issue();
      await harness.store.keys.rotate(record.id, { overlap: '1h', actor: 'operator' });
      const seen = JSON.stringify([
        await harness.store.keys.list(),
        await harness.store.audit.list({ limit: 100 }),
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
    ] as const)('accepts a rotated key until the exact end of the overlap: %s', async (overlap, ms) => {
      const old = await harness.issue('founding tier');
      harness.now += 1000;
      const next = await harness.store.keys.rotate(old.record.id, { overlap, actor: 'operator' });
      expect(next.record).toMatchObject({
        family: old.record.family,
        scope: 'tariff',
        note: 'founding tier',
        status: 'active',
        createdAt: harness.now,
        expiresAt: null,
      });
      expect(next.key).not.toBe(old.key);

      if (ms > 0) {
        harness.now += ms - 1;
        expect(await harness.store.keys.authenticate(old.key)).toMatchObject({
          status: 'expiring',
          expiresAt: harness.now + 1,
        });
        harness.now += 1;
      }
      expect(await harness.store.keys.authenticate(old.key)).toBeNull();
      expect(await harness.store.keys.authenticate(next.key)).toEqual(next.record);
    });

    it('keeps a key in the same family with the same rate limit through 200 rotations', async () => {
      let { key, record } = await harness.issue();
      const { family } = record;
      for (let i = 0; i < 200; i++) {
        ({ key, record } = await harness.store.keys.rotate(record.id, { overlap: 'now', actor: 'operator' }));
        expect(record.family).toBe(family);
      }
      const all = await harness.store.keys.list({ includeEnded: true });
      expect(all).toHaveLength(201);
      expect(new Set(all.map(each => each.family))).toEqual(new Set([family]));
      expect(await harness.store.keys.list()).toEqual([record]);
      expect(await harness.store.keys.authenticate(key)).toEqual(record);

      const takes = [];
      for (const each of all.slice(0, 50)) takes.push((await harness.store.limits.take(each.family)).allowed);
      expect(takes.filter(allowed => allowed)).toHaveLength(5);
    });

    it('issues only one successor if a key is rotated several times concurrently', async () => {
      const { record } = await harness.issue();
      const rotations = await Promise.allSettled(
        [1, 2, 3].map(() => harness.store.keys.rotate(record.id, { overlap: '24h', actor: 'operator' })),
      );
      expect(rotations.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await harness.store.keys.list()).toHaveLength(2);
      for (const rotation of rotations) {
        if (rotation.status === 'rejected') expect(rotation.reason).toMatchObject({ code: 'key_rotated' });
      }
    });

    it("doesn't rotate an expired or revoked key", async () => {
      const revoked = await harness.issue();
      await harness.store.keys.revoke(revoked.record.id, { actor: 'operator' });
      const expired = await harness.issue();
      await harness.store.keys.rotate(expired.record.id, { overlap: 'now', actor: 'operator' });
      for (const { record } of [revoked, expired]) {
        const refusal = await harness.store.keys
          .rotate(record.id, { overlap: '1h', actor: 'operator' })
          .catch(error => error);
        expect(refusal).toBeInstanceOf(StoreError);
        expect(refusal.code).toBe('key_ended');
      }
    });

    it('revokes a key immediately and permanently, even during an overlap', async () => {
      const { key, record } = await harness.issue();
      await harness.store.keys.rotate(record.id, { overlap: '7d', actor: 'operator' });
      harness.now += HOUR;
      const revoked = await harness.store.keys.revoke(record.id, { actor: 'operator' });
      expect(revoked).toMatchObject({ status: 'revoked', revokedAt: harness.now });
      expect(await harness.store.keys.authenticate(key)).toBeNull();

      const entries = await harness.store.audit.list({ limit: 100 });
      harness.now += HOUR;
      expect(await harness.store.keys.revoke(record.id, { actor: 'operator' })).toEqual(revoked);
      expect(await harness.store.audit.list({ limit: 100 })).toEqual(entries);
    });

    it('updates a key’s scope, note, or both', async () => {
      const { key, record } = await harness.issue('first');
      const { id } = record;
      expect(await harness.store.keys.update(id, { note: 'delegate:on', actor: 'operator' })).toEqual({
        ...record,
        note: 'delegate:on',
      });
      expect(await harness.store.keys.update(id, { scope: 'all', actor: 'operator' })).toMatchObject({
        scope: 'all',
        note: 'delegate:on',
      });
      expect(await harness.store.keys.update(id, { scope: 'pixel', note: '', actor: 'operator' })).toMatchObject({
        scope: 'pixel',
        note: '',
      });
      expect(await harness.store.keys.authenticate(key)).toMatchObject({ scope: 'pixel', note: '' });
    });

    it('lists keys newest first, and includes expired and revoked keys only on request', async () => {
      const [first, second, third] = [await harness.issue('1'), await harness.issue('2'), await harness.issue('3')];
      await harness.store.keys.revoke(second.record.id, { actor: 'operator' });
      expect((await harness.store.keys.list()).map(({ note }) => note)).toEqual(['3', '1']);
      const all = await harness.store.keys.list({ includeEnded: true });
      expect(all.map(({ id }) => id)).toEqual([third, second, first].map(({ record }) => record.id));
      expect(all.map(({ status }) => status)).toEqual(['active', 'revoked', 'active']);
    });

    it.each([
      ['rotate', (id: string) => harness.store.keys.rotate(id, { overlap: 'now', actor: 'operator' })],
      ['revoke', (id: string) => harness.store.keys.revoke(id, { actor: 'operator' })],
      ['update', (id: string) => harness.store.keys.update(id, { note: 'x', actor: 'operator' })],
      ['usage.record', (id: string) => harness.store.usage.record({ keyId: id, operation: 'x' })],
    ])('rejects the operation `%s` for an unknown key ID', async (_, call) => {
      const refusal = await call('key_nobody').catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StoreError);
      expect(refusal).toMatchObject({ code: 'key_unknown', message: expect.stringContaining('key_nobody') });
      expect(await harness.store.audit.list({ limit: 10 })).toEqual([]);
    });

    it('stores any key note unchanged', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.string({ unit: 'grapheme', maxLength: 200 }).map(text => text.replaceAll('\0', '')),
          async note => {
            expect((await harness.issue(note)).record.note).toBe(note);
          },
        ),
        { numRuns: 20 },
      );
    });
  });
}
