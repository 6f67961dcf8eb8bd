import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, type World } from './world.ts';

export function registerOperator(world: World): void {
  describe('operator', () => {
    it('opens a session whose token is known to nobody but its holder', async () => {
      const { token, session } = await world.store.operator.openSession('hash');
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(session.formToken).not.toContain(token);
      expect(await world.store.operator.session(token, 'hash')).toEqual(session);
      for (const other of ['', `${token}x`, session.formToken, "' or 1=1 --", 'x'.repeat(10_000)]) {
        expect(await world.store.operator.session(other, 'hash')).toBeNull();
      }
      const second = await world.store.operator.openSession('hash');
      expect(second.token).not.toBe(token);
      expect(second.session.formToken).not.toBe(session.formToken);
    });

    it('ends a session an hour after its last use', async () => {
      const { token } = await world.store.operator.openSession('hash');
      for (let use = 0; use < 3; use++) {
        world.now += HOUR - 1;
        expect(await world.store.operator.session(token, 'hash')).not.toBeNull();
      }
      world.now += HOUR;
      expect(await world.store.operator.session(token, 'hash')).toBeNull();
    });

    it('ends a session twelve hours after it was opened, used or not', async () => {
      const { token } = await world.store.operator.openSession('hash');
      for (let passed = 0; passed < 12 * HOUR - 30 * MINUTE; passed += 30 * MINUTE) {
        world.now += 30 * MINUTE;
        expect(await world.store.operator.session(token, 'hash')).not.toBeNull();
      }
      world.now += 30 * MINUTE;
      expect(await world.store.operator.session(token, 'hash')).toBeNull();
    });

    it('ends a session when it is closed, and when the secret changes', async () => {
      const [one, two] = [await world.store.operator.openSession('a'), await world.store.operator.openSession('a')];
      await world.store.operator.closeSession(one.token);
      expect(await world.store.operator.session(one.token, 'a')).toBeNull();
      expect(await world.store.operator.session(two.token, 'b')).toBeNull();
      expect(await world.store.operator.session(two.token, 'a')).not.toBeNull();
    });

    it('agrees on one secret hash, whoever comes first', async () => {
      const { operator } = world.store;
      expect(await operator.secretHash()).toBeNull();
      const agreed = await Promise.all(['a', 'b', 'c'].map(next => operator.replaceSecretHash({ known: null, next })));
      expect(new Set(agreed).size).toBe(1);
      expect(await operator.secretHash()).toBe(agreed[0]);
      expect(await operator.replaceSecretHash({ known: 'stale', next: 'd' })).toBe(agreed[0]);
      expect(await operator.replaceSecretHash({ known: agreed[0]!, next: 'e' })).toBe('e');
    });
  });
}
