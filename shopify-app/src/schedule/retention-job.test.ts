import { cleanShop } from '@compliance/fake-shopify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());

describe('scan retention', () => {
  it('deletes scans after the merchant’s retention period even if the shop doesn’t have a token, but keeps the newest scans', async () => {
    const given = cleanShop('old');
    const shop = await harness.install(given);
    await shop.setSettings({ retentionDays: 30 });
    for (let i = 0; i < 12; i++) {
      await shop.scans.record({
        ...{ id: `scan-${i}`, trigger: 'schedule', state: 'failed', reason: 'unreachable', startedAt: Date.now() },
        ...{ score: null, scoreVersion: 1, breakdown: [], theme: null, coverage: null, inventory: null },
        ...{ findings: [], covered: [] },
      });
    }
    const count = async () => (await shop.scans.list({ limit: 100 })).rows.length;
    const remove = async () => {
      await shop.jobs.enqueue({ kind: 'retention' });
      await harness.work(given.domain);
      return await count();
    };
    harness.advance(29 * 86_400_000);
    expect(await remove()).toBe(12);
    await shop.sessions.clear();
    harness.advance(2 * 86_400_000);
    expect(await remove()).toBe(10);
  });
});
