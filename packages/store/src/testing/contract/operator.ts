import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, type StoreHarness } from './harness.ts';

export function registerOperator(harness: StoreHarness): void {
  describe('operator', () => {
    it('opens a session with a unique token, and rejects any other token', async () => {
      const { token, session } = await harness.store.operator.openSession('hash');
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(session.csrfToken).not.toContain(token);
      expect(await harness.store.operator.session(token, 'hash')).toEqual(session);
      for (const other of ['', `${token}x`, session.csrfToken, "' or 1=1 --", 'x'.repeat(10_000)]) {
        expect(await harness.store.operator.session(other, 'hash')).toBeNull();
      }
      const second = await harness.store.operator.openSession('hash');
      expect(second.token).not.toBe(token);
      expect(second.session.csrfToken).not.toBe(session.csrfToken);
    });

    it('ends a session an hour after its last use', async () => {
      const { token } = await harness.store.operator.openSession('hash');
      for (let use = 0; use < 3; use++) {
        harness.now += HOUR - 1;
        expect(await harness.store.operator.session(token, 'hash')).not.toBeNull();
      }
      harness.now += HOUR;
      expect(await harness.store.operator.session(token, 'hash')).toBeNull();
    });

    it('ends a session 12 hours after it was opened, even if it’s in use', async () => {
      const { token } = await harness.store.operator.openSession('hash');
      for (let passed = 0; passed < 12 * HOUR - 30 * MINUTE; passed += 30 * MINUTE) {
        harness.now += 30 * MINUTE;
        expect(await harness.store.operator.session(token, 'hash')).not.toBeNull();
      }
      harness.now += 30 * MINUTE;
      expect(await harness.store.operator.session(token, 'hash')).toBeNull();
    });

    it('ends a session on sign-out or when the secret changes', async () => {
      const [one, two] = [await harness.store.operator.openSession('a'), await harness.store.operator.openSession('a')];
      await harness.store.operator.closeSession(one.token);
      expect(await harness.store.operator.session(one.token, 'a')).toBeNull();
      expect(await harness.store.operator.session(two.token, 'b')).toBeNull();
      expect(await harness.store.operator.session(two.token, 'a')).not.toBeNull();
    });

    it('keeps only the first secret hash if several are set concurrently', async () => {
      const { operator } = harness.store;
      expect(await operator.secretHash()).toBeNull();
      const agreed = await Promise.all(['a', 'b', 'c'].map(next => operator.replaceSecretHash({ known: null, next })));
      expect(new Set(agreed).size).toBe(1);
      expect(await operator.secretHash()).toBe(agreed[0]);
      expect(await operator.replaceSecretHash({ known: 'stale', next: 'd' })).toBe(agreed[0]);
      expect(await operator.replaceSecretHash({ known: agreed[0]!, next: 'e' })).toBe('e');
    });
  });
}
