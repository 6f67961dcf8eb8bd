import { sampleShop } from '@compliance/fake-shopify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { eraseShop } from './erase.ts';
import { exportShop } from './export.ts';
import { saveSettings, settingsOf } from './settings.ts';

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
    expect(await settingsOf(shop, null)).toMatchObject({ schedule: 'weekly', retentionDays: 90, locale: 'de' });
    await saveSettings(shop, { locale: '' });
    expect((await settingsOf(shop, null)).locale).toBeNull();
  });

  it.each([
    { schedule: 'hourly' },
    { retentionDays: '-1' },
    { retentionDays: '1e9' },
    { locale: 'xx' },
    { nextScanAt: '0' },
    {},
  ])('doesn’t change any setting after the invalid input %j', async fields => {
    const shop = await harness.install(sampleShop('refuses'));
    const before = await shop.record();
    expect(await saveSettings(shop, fields)).toBe(false);
    expect(await shop.record()).toEqual(before);
  });

  it('shows the scopes that the merchant has granted', async () => {
    const shop = await harness.install(sampleShop('scoped'));
    await shop.setScopes(['read_themes', 'write_products']);
    const granted = (await settingsOf(shop, null)).scopes.filter(one => one.granted).map(({ scope }) => scope);
    expect(granted).toEqual(['read_products', 'read_themes', 'write_products']);
  });

  it('lists accepted findings on the settings page', async () => {
    const shop = await harness.install(sampleShop('accepts'));
    await harness.scan(shop.domain);
    const { rows } = await shop.findings.list({ status: 'open', limit: 1 });
    await shop.findings.accept([rows[0]!.fingerprint], { reason: 'Our agency needs it', until: null, by: '42' });
    expect((await settingsOf(shop, null)).accepted).toMatchObject([
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
  it('requires the merchant to type the shop’s domain to delete the shop’s data, and keeps issued certificates', async () => {
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
