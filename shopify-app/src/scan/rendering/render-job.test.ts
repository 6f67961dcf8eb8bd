import type { ScanRenderer } from '@compliance/crawler';
import { passwordShop, sampleShop } from '@compliance/fake-shopify';
import { waitUntil } from '@compliance/store/jobs';
import type { Shop } from '@compliance/store/shop';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness, newestScan } from '../../../test/job-harness.ts';
import { browserCheckOf } from '../../browser-check/browser-check.ts';
import { findingOf } from '../../findings/findings.ts';
import { historyOf, scanViewOf } from '../../history/history.ts';
import { homeOf } from '../../home/home.ts';
import type { JobHandler } from '../../jobs/job.ts';
import { RENDER, type RenderingDetail } from '../model/rendering.ts';
import { renderJob } from './render-job.ts';
import { fakeRenderer, stepRecord } from './testing/fake-renderer.ts';

const LEGACY = 'ga_analytics_js_legacy';
const DUPLICATE = 'meta_pixel_app_duplicate';
const VERDICTS = { [LEGACY]: 'confirmed', [DUPLICATE]: 'refuted' } as const;

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
afterAll(() => harness.close());

/** Installs the app in a shop and turns on browser checks. */
async function installed(fakeShop: ReturnType<typeof sampleShop>): Promise<Shop> {
  const shop = await harness.install(fakeShop);
  await shop.setSettings({ rendering: true });
  return shop;
}

/** Checks a shop's storefront, as the nightly job does. Returns the job. */
async function check(shop: Shop, renderScan: ScanRenderer) {
  const { job } = await shop.jobs.enqueue({ kind: RENDER });
  await harness.work(shop.domain, { renderScan });
  return (await shop.jobs.get(job.id))!;
}
const detailOf = async (shop: Shop) => (await shop.renderings.latestSeen())!.detail as RenderingDetail;

describe('browser checks', () => {
  it('opens the home page and continues with a shopping journey after a scan that the merchant started', async () => {
    const shop = await installed(sampleShop('render-journey'));
    const asked: unknown[] = [];
    await harness.scan(shop.domain, {
      renderScan: async (scan, request) => {
        asked.push([scan.scanned.url, request?.journey]);
        return await fakeRenderer()(scan);
      },
    });
    expect(asked).toEqual([
      [expect.stringMatching(/^https:\/\/[^/]+\/$/), ['product', 'add_to_cart', 'cart', 'search']],
    ]);
    expect(await shop.renderings.latest()).toMatchObject({ state: 'complete', reason: null });
  });

  it('records a verdict for each open finding, and neither counts nor lists refuted findings', async () => {
    const shop = await installed(sampleShop('render-verdicts'));
    await harness.scan(shop.domain);
    const before = await homeOf(shop, Date.now(), harness.dataset);
    expect(await check(shop, fakeRenderer(VERDICTS))).toMatchObject({ state: 'done', result: { state: 'complete' } });
    const { rows } = await shop.findings.list({ status: 'open', limit: 99 });
    expect(rows.filter(({ verdict }) => verdict === null)).toEqual([]);
    expect(rows.filter(({ refuted }) => refuted).map(({ ruleId }) => ruleId)).toEqual([DUPLICATE]);
    const counts = { confirmed: 1, refuted: 1, unseen: rows.length - 2 };
    expect((await detailOf(shop)).verdicts).toEqual(counts);

    const after = await homeOf(shop, Date.now(), harness.dataset);
    expect([after.findings.open, after.refuted]).toEqual([before.findings.open - 1, 1]);
    expect(after.verdict.needs).toBe(before.verdict.needs - 1);
    expect(JSON.stringify(after.inbox)).not.toContain(rows.find(({ refuted }) => refuted)!.fingerprint);
    const confirmed = rows.find(({ ruleId }) => ruleId === LEGACY)!;
    expect((await findingOf(shop, confirmed.fingerprint))!.browser).toMatchObject({ is: 'confirmed' });
  });

  it('excludes refuted findings from the store’s score, in this check and in the next scan', async () => {
    const shop = await installed(sampleShop('render-score'));
    await harness.scan(shop.domain);
    const { score: before } = await newestScan(shop);
    await check(shop, fakeRenderer(VERDICTS));
    const check1 = (await shop.renderings.latest())!;
    expect(check1.score).toBeGreaterThan(before!);
    expect((await detailOf(shop)).staticScore).toBe(before);
    await harness.scan(shop.domain);
    expect((await newestScan(shop)).score).toBe(check1.score);
    const view = await scanViewOf(shop, (await historyOf(shop, null)).rows[0]!.id, null);
    expect(view!.browser).toMatchObject({ score: check1.score, refuted: 1, traffic: 0 });
  });

  it('lists problems that are visible only in the traffic, and lowers the score unless a finding covers the same problem', async () => {
    const shop = await installed(sampleShop('render-traffic'));
    await harness.scan(shop.domain);
    const traffic = (['sent_after_denial', 'duplicate_event'] as const).map(code => ({
      ...{ code, severity: 'warn' as const, vendor: 'meta' as const, id: '731205580412977', event: 'PageView' },
      ...{ message: 'secret-message', fix: 'secret-fix', related: [], initiator: null },
      where: { source: 'html' as const, line: 1, column: 1, url: 'https://shop.example/secret-page' },
      counts: code === 'sent_after_denial',
    }));
    await check(shop, fakeRenderer({}, { traffic, beacons: 3 }));
    const { score, detail } = (await shop.renderings.latest())!;
    expect((detail as RenderingDetail).staticScore! - score!).toBeGreaterThanOrEqual(0);
    expect((await browserCheckOf(shop, 'available', Date.now())).seen).toMatchObject({
      ...{ events: 3, traffic: traffic.map(({ code, severity, id }) => ({ code, severity, vendor: 'Meta', id })) },
    });
    const { inbox } = await homeOf(shop, Date.now(), harness.dataset);
    expect(inbox).toContainEqual(expect.objectContaining({ kind: 'task', task: 'traffic', urgency: 'warn', count: 2 }));
  });

  it('stores only decoded events and counts, in the database and in the export', async () => {
    const shop = await installed(sampleShop('render-private'));
    await harness.scan(shop.domain);
    const sent = {
      phase: 'load',
      step: 'page',
      vendor: 'meta',
      event: `Page\0View \ud83d${'x'.repeat(200)}`,
      count: 2,
    } as const;
    await check(shop, fakeRenderer({}, { beacons: 2, events: [sent] }));
    expect(await detailOf(shop)).toMatchObject({
      steps: expect.arrayContaining([
        { phase: 'load', step: 'page', decision: null, skipped: null, complete: true, requests: 12, stored: 2 },
      ]),
      sent: [{ ...sent, event: expect.stringMatching(/^PageView \ufffdx+$/) }],
    });
    const lines: string[] = [];
    for await (const line of shop.export()) lines.push(line);
    const exported = lines.filter(line => line.includes('"shop_renderings"')).join('');
    expect(exported).toContain('"phase":"load"');
    expect(exported).not.toMatch(/secret|https?:/);
  });

  it('describes a check as partial if a step was skipped or incomplete, or if the browser couldn’t submit a consent choice', async () => {
    const shop = await installed(sampleShop('render-partial'));
    await harness.scan(shop.domain);
    for (const changes of [{ skipped: 'robots' }, { complete: false }, { decision: 'none' }] as const) {
      const phases = [stepRecord({}), stepRecord({ phase: 'accept', step: 'cart', ...changes })];
      expect((await check(shop, fakeRenderer({}, { phases }))).result).toEqual({ state: 'partial' });
    }
    expect((await check(shop, fakeRenderer({}, { cut: 'memory' }))).result).toEqual({ state: 'partial' });
    expect((await browserCheckOf(shop, 'available', Date.now())).seen).toMatchObject({
      isPartial: true,
      cut: 'memory',
    });
  });

  it('records a password-protected storefront as unseen, without opening it in the browser', async () => {
    const shop = await installed(passwordShop('render-password'));
    await harness.scan(shop.domain);
    const renderScan = () => Promise.reject(new Error('opened'));
    expect(await check(shop, renderScan)).toMatchObject({ state: 'done', result: { state: 'unseen' }, error: null });
    const view = await browserCheckOf(shop, 'available', Date.now());
    expect(view).toMatchObject({ on: true, checking: false, unseen: { reason: 'password' }, seen: null });
    expect((await homeOf(shop, Date.now(), harness.dataset)).verdict.unknown).toContain('browser');
  });

  it('does nothing if the merchant has turned browser checks off', async () => {
    const shop = await harness.install(sampleShop('render-off'));
    await harness.scan(shop.domain, { renderScan: fakeRenderer() });
    expect(await shop.jobs.latest(RENDER)).toBeNull();
    expect((await check(shop, fakeRenderer())).result).toEqual({ state: 'off' });
    expect(await shop.renderings.latest()).toBeNull();
  });

  it('fails without recording anything if the browser fails or the rendering is invalid, so the job is retried', async () => {
    const shop = await installed(sampleShop('render-fails'));
    await harness.scan(shop.domain);
    const failures: ScanRenderer[] = [
      () => Promise.reject(new Error('crashed')),
      async scan => ({ ...(await fakeRenderer()(scan)), findings: [] }),
      async scan => ({ ...(await fakeRenderer()(scan)), beacons: 'many' as unknown as number }),
    ];
    for (const renderScan of failures) {
      const handler = renderJob({ scanner: harness.scanner, renderScan, clock: Date.now });
      await expect(runNext(shop, handler)).rejects.toThrow();
      expect(await shop.renderings.latest()).toBeNull();
    }
  });

  it('waits without occupying a slot while the browser has another shop’s page open', async () => {
    const [first, second] = [await installed(sampleShop('render-first')), await installed(sampleShop('render-second'))];
    let opened = () => {};
    let finish = () => {};
    const isOpen = new Promise<void>(resolve => {
      opened = resolve;
    });
    const handler = renderJob({
      ...{ scanner: harness.scanner, clock: Date.now },
      renderScan: async scan => {
        opened();
        await new Promise<void>(resolve => {
          finish = resolve;
        });
        return await fakeRenderer()(scan);
      },
    });
    const running = runNext(first, handler);
    await isOpen;
    expect(await runNext(second, handler)).toEqual(waitUntil(expect.any(Number) as unknown as number));
    finish();
    expect(await running).toEqual({ state: 'complete' });
  });
});

/** Enqueues a browser check, runs it once, and cancels it. */
async function runNext(shop: Shop, handler: JobHandler): Promise<unknown> {
  await shop.jobs.enqueue({ kind: RENDER });
  const job = (await harness.store.jobs.claim('test', [RENDER], 60_000))!;
  expect(job.domain).toBe(shop.domain);
  try {
    return await handler.run({
      ...{ job, merchant: { ...harness.app.offlineContext(shop.domain), shop: job.shop } },
      ...{ signal: new AbortController().signal, report: () => {} },
    });
  } finally {
    await shop.jobs.cancel([RENDER]);
  }
}
