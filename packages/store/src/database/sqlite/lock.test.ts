import { describe, expect, it } from 'vitest';
import { createLock, type LockUser } from './lock.ts';

describe('the write lock', () => {
  it('alternates between waiting users and grants each user’s requests in order', async () => {
    const lock = createLock();
    const turns: string[] = [];
    const use = async (user: LockUser, name: string) => {
      const release = await lock.acquire(user);
      turns.push(name);
      await Promise.resolve();
      release();
    };
    await Promise.all([
      ...['d1', 'd2', 'd3', 'd4'].map(name => use('durable', name)),
      ...['b1', 'b2'].map(name => use('bestEffort', name)),
    ]);
    expect(turns).toEqual(['d1', 'b1', 'd2', 'b2', 'd3', 'd4']);
    expect(lock.isFree).toBe(true);
  });

  it('allows only one user at a time', async () => {
    const lock = createLock();
    let users = 0;
    const use = async (user: LockUser) => {
      const release = await lock.acquire(user);
      users += 1;
      expect([users, lock.isFree]).toEqual([1, false]);
      await new Promise(setImmediate);
      users -= 1;
      release();
    };
    await Promise.all(Array.from({ length: 20 }, (_, i) => use(i % 3 ? 'durable' : 'bestEffort')));
  });
});
