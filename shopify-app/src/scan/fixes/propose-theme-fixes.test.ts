import { type FakeShop, PASTED, sampleShop } from '@compliance/fake-shopify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../../test/job-harness.ts';
import type { FileFix, FindingDetail, NoFix } from '../model/types.ts';

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());

const TRACKING = 'snippets/tracking.liquid';
const paste = (shop: FakeShop, name: string, text: string) => shop.themes[0]!.files.set(name, text);

/** Scans a shop, and returns the fix for a rule's only finding. */
async function fixOf(given: FakeShop, rule: string): Promise<FileFix | NoFix | undefined> {
  const shop = await harness.install(given);
  await harness.scan(given.domain);
  const { rows } = await shop.findings.list({ ruleId: rule, status: 'open', limit: 10 });
  expect(rows).toHaveLength(1);
  return (rows[0]!.detail as FindingDetail).fix;
}

describe('fixes for theme findings', () => {
  it('shows the exact lines to delete, with their line numbers in the file', async () => {
    const given = sampleShop('legacy');
    const source = given.themes[0]!.files.get(TRACKING)!;
    const fix = (await fixOf(given, 'ga_analytics_js_legacy')) as FileFix;
    expect(fix).toMatchObject({ themeId: '101', name: TRACKING, added: [], removes: ['ga'] });
    const lines = source.split('\n');
    const removed = fix.hunks.flat().filter(({ kind }) => kind === 'removed');
    expect(removed.map(({ text }) => text).join('\n')).toBe(PASTED.universalAnalytics);
    for (const { before, text } of fix.hunks.flat()) expect(lines[before! - 1]).toBe(text);
    expect(fix.corrected).toBe(source.replace(`${PASTED.universalAnalytics}\n`, ''));
  });

  it('deletes a pixel that an app also runs, even though no single file shows the duplicate', async () => {
    const given = sampleShop('double');
    const source = given.themes[0]!.files.get(TRACKING)!;
    const fix = (await fixOf(given, 'meta_pixel_app_duplicate')) as FileFix;
    expect(fix.corrected?.trimEnd()).toBe(source.replace(PASTED.metaPixel, '').trimEnd());
  });

  it('doesn’t delete code that another theme file uses', async () => {
    const given = sampleShop('used');
    paste(given, 'snippets/buy.liquid', "<button onclick=\"ga('send', 'event', 'buy')\">Buy</button>");
    expect(await fixOf(given, 'ga_analytics_js_legacy')).toEqual({ reason: 'other_file' });
  });

  it('proposes no fix if several files contain the code', async () => {
    const given = sampleShop('several');
    paste(given, 'snippets/copy.liquid', PASTED.universalAnalytics);
    expect(await fixOf(given, 'ga_analytics_js_legacy')).toEqual({ reason: 'several_files' });
  });

  it('proposes no fix for code in a section’s settings', async () => {
    const given = sampleShop('settings');
    paste(given, TRACKING, '');
    paste(given, 'config/settings_data.json', JSON.stringify({ current: { code: PASTED.universalAnalytics } }));
    expect(await fixOf(given, 'ga_analytics_js_legacy')).toEqual({ reason: 'settings' });
  });

  it('keeps fixes out of the scan history', async () => {
    const given = sampleShop('history');
    await fixOf(given, 'ga_analytics_js_legacy');
    const shop = harness.store.shop(given.domain);
    const scan = (await shop.scans.get((await shop.scans.latest())!.id))!;
    expect(JSON.stringify(scan.findings)).not.toContain('hunks');
  });
});
