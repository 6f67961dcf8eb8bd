import { adminPages, merchantActions } from '@compliance/fake-shopify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AppHarness, startAppHarness } from '../../test/harness.ts';
import type { Merchant } from '../admin/merchant.ts';
import { startScan } from '../scan/start-scan.ts';
import { enqueueNightly } from '../schedule/scheduler.ts';
import type { SettingsView } from '../settings/settings.ts';
import { PLAN_CHECK, pausable } from './plan-job.ts';

const FOUNDING = 'shop-1.myshopify.com';
const billing = { appHandle: 'portfolio-compliance', foundingShops: [FOUNDING] };

let harness: AppHarness;
beforeAll(async () => {
  harness = await startAppHarness({ jobsAtOnce: 2, billing });
  expect(await harness.newShop()).toBe(FOUNDING);
});
afterAll(() => harness.close());

async function installed(): Promise<string> {
  const domain = await harness.newShop();
  await harness.visit(domain);
  await vi.waitFor(async () => expect((await planJob(domain))?.state).toBe('done'), { timeout: 20_000 });
  return domain;
}
const planJob = (domain: string) => harness.store.shop(domain).jobs.latest(PLAN_CHECK);
const planIn = async (domain: string, query = ''): Promise<SettingsView['plan']> => {
  const answer = await harness.askAs(domain, `/app/settings?_data=routes%2Fapp.settings${query}`);
  return ((await answer.json()) as SettingsView).plan;
};
const noticesIn = async (domain: string): Promise<readonly string[]> => {
  const answer = await harness.askAs(domain, '/app?index&_data=routes%2Fapp._index');
  return ((await answer.json()) as { readonly notices: readonly string[] }).notices;
};
/** Selects a plan on the fake Shopify's pricing page. Returns the resulting page. */
async function choose(domain: string, plan: string): Promise<string> {
  const url = `/store/${domain.replace('.myshopify.com', '')}/charges/portfolio-compliance/pricing_plans`;
  const pages = adminPages(harness.fakeShopify, { appUrl: harness.app.url, extensions: [] });
  expect(await (await pages.request(url)).text()).toContain('Pricing plans');
  return await (await pages.request(url, { method: 'POST', body: new URLSearchParams({ plan }) })).text();
}

describe('plans', () => {
  it('links a shop without a plan to Shopify’s pricing page, and shows the plan that the merchant chooses', async () => {
    const domain = await installed();
    const pricingUrl = `https://admin.shopify.com/store/${domain.split('.')[0]}/charges/portfolio-compliance/pricing_plans`;
    expect(await planIn(domain)).toEqual({ status: 'none', name: null, test: false, pricingUrl });
    expect(await noticesIn(domain)).toContain('no_plan');
    expect(await choose(domain, 'Pro')).toContain('/app/settings?plan=chosen');
    // The webhook's job might not have run yet.
    expect(await planIn(domain, '&plan=chosen')).toEqual({ status: 'active', name: 'Pro', test: true, pricingUrl });
    expect(await noticesIn(domain)).not.toContain('no_plan');
  });

  it('updates the plan when Shopify reports a change', async () => {
    const domain = await installed();
    const merchant = merchantActions(harness.fakeShopify, domain, harness.app.url);
    expect(await merchant.choosePlan('Starter')).toBe(200);
    await vi.waitFor(async () => expect(await planIn(domain)).toMatchObject({ name: 'Starter' }), { timeout: 20_000 });
    expect(await merchant.choosePlan(null)).toBe(200);
    await vi.waitFor(async () => expect(await planIn(domain)).toMatchObject({ status: 'none' }), { timeout: 20_000 });
  });

  it('doesn’t ask a founding shop to choose a plan', async () => {
    await harness.visit(FOUNDING);
    await vi.waitFor(async () => expect((await planJob(FOUNDING))?.state).toBe('done'), { timeout: 20_000 });
    expect(await planIn(FOUNDING)).toMatchObject({ status: 'founding' });
    expect(await noticesIn(FOUNDING)).not.toContain('no_plan');
  });

  it('keeps the last known plan while Shopify is unavailable', async () => {
    const domain = await installed();
    await choose(domain, 'Pro');
    expect(await planIn(domain, '&plan=chosen')).toMatchObject({ status: 'active' });
    harness.fakeShopify.faults.plan({ kind: 'status', status: 503 }, { operation: 'ActiveSubscriptions', times: 99 });
    expect(await planIn(domain, '&plan=chosen')).toMatchObject({ status: 'active', name: 'Pro' });
    harness.fakeShopify.faults.clear();
  });
});

describe('a shop without a plan', () => {
  it('allows manual scans and exports without a plan, but pauses automatic scans, theme checks, and catalog reads', async () => {
    const domain = await installed();
    const shop = harness.store.shop(domain);
    const kindsOfNight = async () => {
      await shop.jobs.cancel();
      await enqueueNightly(harness.store, Date.now(), { billing });
      const jobs = await shop.jobs.list({ limit: 100 });
      return jobs.flatMap(({ kind, state }) => (state === 'queued' ? [kind] : [])).sort();
    };
    expect(await kindsOfNight()).toEqual(['certificate_check', 'plan_check', 'retention']);
    const run = async (trigger: string) => {
      const { job } = await shop.jobs.enqueue({ kind: 'scan', payload: { trigger } });
      await vi.waitFor(async () => expect((await shop.jobs.get(job.id))?.state).toBe('done'), { timeout: 20_000 });
      return (await shop.jobs.get(job.id))!.result;
    };
    expect(await run('schedule')).toEqual({ paused: true });
    expect(await run('theme_published')).toEqual({ paused: true });
    expect(await run('merchant')).toHaveProperty('scanId');
    // The merchant's scan isn't paused even if it's merged into a scheduled scan.
    const { job } = await shop.jobs.enqueue({
      ...{ kind: 'scan', payload: { trigger: 'schedule' }, runAt: Date.now() + 60_000 },
    });
    expect((await startScan({ shop } as Merchant, 'merchant')).id).toBe(job.id);
    await vi.waitFor(async () => expect((await shop.jobs.get(job.id))?.result).toHaveProperty('scanId'), {
      timeout: 20_000,
    });
    expect((await harness.askAs(domain, '/app/export')).status).toBe(200);

    await choose(domain, 'Pro');
    await planIn(domain, '&plan=chosen');
    expect(await kindsOfNight()).toContain('catalog_night');
    expect(await run('schedule')).toHaveProperty('scanId');
  });

  it('doesn’t pause jobs before the shop’s plan is known', async () => {
    const domain = await harness.newShop();
    await harness.store.shops.install(domain, { scopes: [] });
    const shop = harness.store.shop(domain);
    const handler = pausable({ kind: 'scan', run: async () => 'ran' }, billing, () => true);
    expect(await handler.run({ job: { payload: null }, merchant: { shop } } as never)).toBe('ran');
    await shop.setSettings({ plan: { name: null, test: false, at: 0 } });
    expect(await handler.run({ job: { payload: null }, merchant: { shop } } as never)).toEqual({ paused: true });
  });
});
