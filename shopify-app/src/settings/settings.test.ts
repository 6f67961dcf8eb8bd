import { sampleShop } from '@compliance/fake-shopify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { eraseShop } from './erase.ts';
import { exportShop } from './export.ts';
import { saveSettings, settingsOf } from './settings.ts';

const OPERATOR = { contact: null, canSendMail: true, billing: null, rendering: 'available' as const };

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());

const linesOf = async (domain: string): Promise<{ table: string; row: Record<string, unknown> }[]> =>
  (await exportShop(harness.store, domain).text())
    .trim()
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));

describe('shop settings', () => {
  it('saves one setting without changing the others', async () => {
    const shop = await harness.install(sampleShop('chooses'));
    expect(await saveSettings(shop, { schedule: 'weekly' })).toBe(true);
    expect(await saveSettings(shop, { retentionDays: '90' })).toBe(true);
    expect(await saveSettings(shop, { locale: 'de' })).toBe(true);
    expect(await settingsOf(shop, OPERATOR)).toMatchObject({ schedule: 'weekly', retentionDays: 90, locale: 'de' });
    await saveSettings(shop, { locale: '' });
    expect((await settingsOf(shop, OPERATOR)).locale).toBeNull();
  });

  it.each([
    { schedule: 'hourly' },
    { retentionDays: '-1' },
    { retentionDays: '1e9' },
    { locale: 'xx' },
    { nextScanAt: '0' },
    { rendering: 'yes' },
    {},
  ])('rejects the invalid input %j without changing any setting', async fields => {
    const shop = await harness.install(sampleShop('refuses'));
    const before = await shop.record();
    expect(await saveSettings(shop, fields)).toBe(false);
    expect(await shop.record()).toEqual(before);
  });

  it('turns browser checks on and off, and deletes their results when the merchant turns them off', async () => {
    const shop = await harness.install(sampleShop('renders'));
    await harness.scan(shop.domain);
    const read = async () => (await settingsOf(shop, OPERATOR)).rendering;
    expect(await read()).toEqual({ on: false, availability: 'available' });
    expect(await saveSettings(shop, { rendering: 'on' })).toBe(true);
    expect(await read()).toEqual({ on: true, availability: 'available' });
    const { rows } = await shop.findings.list({ limit: 1 });
    const verdicts = new Map([[rows[0]!.fingerprint, 'refuted' as const]]);
    const found = { id: 'job', state: 'complete', reason: null, startedAt: 0, score: 90, detail: null } as const;
    await shop.renderings.record({ ...found, verdicts });
    await shop.jobs.enqueue({ kind: 'render', runAt: Date.now() + 60_000 });
    expect((await shop.findings.counts()).refuted).toBe(1);
    expect(await saveSettings(shop, { rendering: 'off' })).toBe(true);
    expect(await read()).toEqual({ on: false, availability: 'available' });
    expect((await shop.findings.counts()).refuted).toBe(0);
    expect([await shop.renderings.latest(), (await shop.jobs.latest('render'))?.state]).toEqual([null, 'cancelled']);
  });

  it('shows the scopes that the merchant has granted', async () => {
    const shop = await harness.install(sampleShop('scoped'));
    await shop.setScopes(['read_themes', 'write_products']);
    const granted = (await settingsOf(shop, OPERATOR)).scopes.filter(one => one.granted).map(({ scope }) => scope);
    expect(granted).toEqual(['read_products', 'read_themes', 'write_products']);
  });

  it('lists accepted findings on the settings page', async () => {
    const shop = await harness.install(sampleShop('accepts'));
    await harness.scan(shop.domain);
    const { rows } = await shop.findings.list({ status: 'open', limit: 1 });
    await shop.findings.accept([rows[0]!.fingerprint], { reason: 'Our agency needs it', until: null, by: '42' });
    expect((await settingsOf(shop, OPERATOR)).accepted).toMatchObject([
      { fingerprint: rows[0]!.fingerprint, reason: 'Our agency needs it', until: null },
    ]);
  });
});

describe('data export', () => {
  it('exports only this shop’s rows and certificates and never exports tokens', async () => {
    const shop = await harness.install(sampleShop('exports'));
    await harness.install(sampleShop('neighbour'));
    const { family } = (await shop.record())!;
    const pdf = Buffer.from('%PDF-1.7');
    for (let number = 0; number < 101; number++)
      await harness.store.certificates.issue({ family, record: '{"format":"gcc-1"}', pdf, actor: family });
    const lines = await linesOf(shop.domain);
    expect(new Set(lines.map(({ row }) => row.shop ?? row.family))).toEqual(new Set([shop.domain, family]));
    expect(new Set(lines.filter(({ table }) => table === 'certificates').map(({ row }) => row.id)).size).toBe(101);
    expect(lines.map(({ table }) => table)).toContain('shop_sessions');
    expect(JSON.stringify(lines)).not.toMatch(/shp(at|rt|ua)_|sealed/);
  });
});

describe('data deletion', () => {
  it('deletes the shop’s data only if the merchant types the shop’s domain, and keeps issued certificates', async () => {
    const shop = await harness.install(sampleShop('leaves'));
    await harness.scan(shop.domain);
    const merchant = harness.app.offlineContext(shop.domain);
    const { family } = (await shop.record())!;
    const pdf = Buffer.from('%PDF-1.7');
    const { id } = await harness.store.certificates.issue({ family, record: '{}', pdf, actor: family });
    expect(await eraseShop(merchant, 'other.myshopify.com')).toBe(false);
    expect(await eraseShop(merchant, '')).toBe(false);
    expect(await shop.record()).not.toBeNull();
    expect(await eraseShop(merchant, ` ${shop.domain.toUpperCase()} `)).toBe(true);
    expect(await shop.record()).toBeNull();
    expect(await linesOf(shop.domain)).toEqual([]);
    expect((await harness.store.certificates.get(id))?.status).toBe('draft');
  });
});
