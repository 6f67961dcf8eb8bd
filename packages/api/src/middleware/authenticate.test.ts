import { afterAll, afterEach, expect, it, vi } from 'vitest';
import operation from '../operations/tariff-hts-lookup.ts';
import { startService } from '../testing/service.ts';

const service = await startService();
afterEach(() => void vi.useRealTimers());
afterAll(() => service.stop());

const lookup = (key: string) =>
  service.post(operation.path, operation.examples[0]!.request, { Authorization: `Bearer ${key}` });

it('rejects at most one invalid key per millisecond during a flood, without delaying a valid key', async () => {
  const key = await service.issue();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const statuses: number[] = [];
  const refusals = Array.from({ length: 300 }, async () => statuses.push((await lookup('nonsense')).status));
  expect((await lookup(key)).status).toBe(200);
  expect(statuses).toEqual([]);
  await vi.advanceTimersByTimeAsync(119);
  expect(statuses).toEqual(Array(100).fill(401));
  await vi.advanceTimersByTimeAsync(200);
  await Promise.all(refusals);
  // With no pending rejections, the delay returns to its minimum.
  const next = lookup('nonsense');
  await vi.advanceTimersByTimeAsync(20);
  expect((await next).status).toBe(401);
});
