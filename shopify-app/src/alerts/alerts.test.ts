import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ScanRenderer } from '@compliance/crawler';
import { cleanShop, emptyShop, type FakeShop, sampleShop } from '@compliance/fake-shopify';
import type { Alert, Shop } from '@compliance/store/shop';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJobHarness, type JobHarness } from '../../test/job-harness.ts';
import { startSmtpServer, type TestSmtpServer } from '../../test/smtp-server.ts';
import { summarizeRates } from '../catalog/model/rates.ts';
import { recordTariffAlert } from '../catalog/tariff-alert.ts';
import { recordCertificateCheck } from '../certificates/certificate-alerts.ts';
import type { JobContext } from '../jobs/job.ts';
import { fakeRenderer } from '../scan/rendering/testing/fake-renderer.ts';
import { saveAlertSettings } from '../settings/settings.ts';
import { type AlertEvent, FLOW_TRIGGERS, recordAlerts, setAlertSettings } from './alert.ts';
import { composeAlerts } from './compose.ts';
import { alertEmailJob } from './email-job.ts';
import { createMailer } from './mailer.ts';
import { createUnsubscribeLinks, type UnsubscribeLinks } from './unsubscribe-link.ts';
import { unsubscribePage } from './unsubscribe-page.ts';

const EMAIL = 'anna@found-goods.example';
const KEYS = [Buffer.alloc(32, 7)];
const ERROR: AlertEvent = { kind: 'error', detail: { title: 'Two Meta pixels', place: null, fingerprint: 'f' } };

let harness: JobHarness;
let smtp: TestSmtpServer;
let links: UnsubscribeLinks;
beforeAll(async () => {
  [harness, smtp] = await Promise.all([createJobHarness(), startSmtpServer()]);
  links = createUnsubscribeLinks('https://app.example', KEYS);
});
afterAll(() => Promise.all([harness.close(), smtp.close()]));
beforeEach(() => {
  smtp.mails.length = 0;
  smtp.isDown = false;
});

const deps = () => ({
  alerts: { mailer: createMailer({ smtpUrl: smtp.url, from: 'alerts@app.example' }), links, apiKey: 'key' },
});

async function subscribed(fakeShop: FakeShop, when: 'at_once' | 'daily' = 'at_once'): Promise<Shop> {
  const shop = await harness.install(fakeShop);
  await setAlertSettings(shop, { when, email: EMAIL }, Date.now());
  await harness.work(shop.domain, deps());
  return shop;
}
const waiting = async (shop: Shop): Promise<readonly Alert[]> => (await shop.alerts.nextMessage(99))?.alerts ?? [];

describe('alert emails', () => {
  it('emails each new error once, and not again after later scans', async () => {
    const shop = await subscribed(sampleShop('alerts-errors'));
    await harness.scan(shop.domain, deps());
    const { bySeverity } = await shop.findings.counts();
    expect(bySeverity.error).toBeGreaterThan(0);
    expect(smtp.mails).toMatchObject([{ to: [EMAIL], headers: { 'auto-submitted': 'auto-generated' } }]);
    expect(smtp.mails[0]!.headers.subject).toContain('alerts-errors.myshopify.com');
    await harness.scan(shop.domain, deps());
    expect(smtp.mails).toHaveLength(1);
  });

  it('sends each event once by email and once to Flow, even if three processes report it', async () => {
    const shop = await subscribed(emptyShop('alerts-processes'));
    const program = join(import.meta.dirname, 'testing/send-alerts.ts');
    const options = ['--conditions=@compliance/source', '--import', '@compliance/fake-shopify/preload'];
    const args = [...options, program, harness.dataDir, shop.domain, smtp.url];
    const env = { ...process.env, FAKE_SHOPIFY_URL: harness.fakeShopify.url };
    const limits = { timeout: 60_000, killSignal: 'SIGKILL' } as const;
    const child = () => spawn(process.execPath, args, { ...limits, env, cwd: import.meta.dirname, stdio: 'inherit' });
    const ended = await Promise.all([child(), child(), child()].map(process => once(process, 'close')));
    expect(ended.map(([code]) => code)).toEqual([0, 0, 0]);
    expect(await waiting(shop)).toEqual([]);
    expect(harness.fakeShopify.shops.get(shop.domain)!.flowEvents).toHaveLength(2);
    // The two events share an email if the second event is recorded before the first email is prepared.
    expect(smtp.mails.length).toBeGreaterThanOrEqual(1);
    expect(smtp.mails.length).toBeLessThanOrEqual(2);
    expect(new Set(smtp.mails.map(({ headers }) => headers['message-id'])).size).toBe(smtp.mails.length);
  }, 90_000);

  it('retries the same email with the same ID while the SMTP server is unavailable', async () => {
    const shop = await subscribed(emptyShop('alerts-down'));
    await recordAlerts(shop, Date.now(), [{ key: 'a', ...ERROR }]);
    const first = await shop.alerts.nextMessage(9);
    const merchant = harness.app.offlineContext(shop.domain);
    const send = () =>
      alertEmailJob(deps().alerts).run({ merchant, signal: new AbortController().signal } as JobContext);
    smtp.isDown = true;
    await expect(send()).rejects.toThrow('451');
    smtp.isDown = false;
    expect(await send()).toEqual({ emails: 1 });
    expect(await send()).toEqual({ emails: 0 });
    expect(smtp.mails.map(({ headers }) => headers['message-id'])).toEqual([`<${first!.id}@app.example>`]);
  });

  it('combines a day’s alerts into one morning email', async () => {
    const shop = await subscribed(emptyShop('alerts-daily'), 'daily');
    for (const key of ['a', 'b', 'c']) await recordAlerts(shop, Date.now(), [{ key, ...ERROR }]);
    await harness.work(shop.domain, deps());
    expect(smtp.mails).toEqual([]);
    harness.advance(86_400_000);
    await harness.work(shop.domain, deps());
    expect(smtp.mails.map(({ headers }) => headers.subject)).toEqual([
      '3 compliance alerts for alerts-daily.myshopify.com',
    ]);
  });

  it('delays emails about new errors to allow time for a browser check, and omits errors that the browser refuted', async () => {
    const refuteAll: ScanRenderer = async scan =>
      await fakeRenderer(Object.fromEntries(scan.findings.map(({ rule_id }) => [rule_id, 'refuted'])))(scan);
    for (const [name, renderScan, emails] of [
      ['alerts-refuted', refuteAll, 0],
      ['alerts-unseen', fakeRenderer(), 1],
    ] as const) {
      const shop = await subscribed(sampleShop(name));
      await shop.setSettings({ rendering: true });
      await harness.scan(shop.domain, { ...deps(), renderScan });
      expect([await waiting(shop), smtp.mails]).toEqual([expect.arrayContaining([expect.anything()]), []]);
      harness.advance(600_000);
      await harness.work(shop.domain, { ...deps(), renderScan });
      expect([await waiting(shop), smtp.mails.length]).toEqual([[], emails]);
    }
  });

  it('sends no emails unless the merchant has turned alerts on', async () => {
    const shop = await harness.install(emptyShop('alerts-off'));
    await recordAlerts(shop, Date.now(), [{ key: 'a', ...ERROR }]);
    expect(await waiting(shop)).toEqual([]);
    await setAlertSettings(shop, { when: 'at_once', email: EMAIL }, Date.now());
    await recordAlerts(shop, Date.now(), [{ key: 'a', ...ERROR }]);
    await setAlertSettings(shop, { when: 'off', email: EMAIL }, Date.now());
    await harness.work(shop.domain, deps());
    expect(smtp.mails).toEqual([]);
  });

  it.each([
    { alertsWhen: 'daily', alertsEmail: '' },
    { alertsWhen: 'daily', alertsEmail: 'anna' },
    { alertsWhen: 'daily', alertsEmail: `${EMAIL}\r\nBcc: eve@example.com` },
    { alertsWhen: 'daily', alertsEmail: `${EMAIL}, eve@example.com` },
    { alertsWhen: 'hourly', alertsEmail: EMAIL },
  ])('rejects the settings %j', async fields => {
    const shop = await harness.install(emptyShop('alerts-refused'));
    expect(await saveAlertSettings(shop, fields, Date.now())).toBe(false);
  });
});

describe('Shopify Flow triggers', () => {
  const eventsOf = (shop: Shop) => harness.fakeShopify.shops.get(shop.domain)!.flowEvents;

  it('sends each new error once, even if email alerts are off', async () => {
    const shop = await harness.install(sampleShop('flow-errors'));
    await harness.scan(shop.domain);
    const { bySeverity } = await shop.findings.counts();
    const sent = eventsOf(shop);
    expect(sent.length).toBe(bySeverity.error);
    expect(new Set(sent.map(({ handle }) => handle))).toEqual(new Set(['tracking-error-found']));
    expect(sent[0]!.payload['Finding URL']).toMatch(
      /^https:\/\/admin\.shopify\.com\/store\/flow-errors\/apps\/[^/]+\/app\/findings\/\w+$/,
    );
    await harness.scan(shop.domain);
    expect(eventsOf(shop)).toHaveLength(sent.length);
    expect(smtp.mails).toEqual([]);
  });

  it('doesn’t send events for errors that a browser refuted', async () => {
    const refuteAll: ScanRenderer = async scan =>
      await fakeRenderer(Object.fromEntries(scan.findings.map(({ rule_id }) => [rule_id, 'refuted'])))(scan);
    const shop = await harness.install(sampleShop('flow-refuted'));
    await shop.setSettings({ rendering: true });
    await harness.scan(shop.domain, { renderScan: refuteAll });
    harness.advance(600_000);
    await harness.work(shop.domain, { renderScan: refuteAll });
    expect(await shop.flowTriggers.nextMessage(1)).toBeNull();
    expect(eventsOf(shop)).toEqual([]);
  });

  it('sends one event for each variant whose result changed, with the date and both rates', async () => {
    const shop = await harness.install(emptyShop('flow-tariff'));
    const { version } = harness.dataset;
    const answer = { printed: '7318.15.20.61', listings: [] };
    const listing = { rate_pct: 25, rate_type: 'additional', undecided: [], outcomes: [], duty_from: '2026-10-01' };
    const variantOf = (id: number) => ({
      ...{ variantId: `gid://shopify/ProductVariant/${id}`, productId: 'gid://shopify/Product/1', sku: null },
      ...{ origin: 'CN', productTitle: 'Bolt', variantTitle: `M${id}`, htsCode: '7318152061', digits: 'full' },
    });
    const before = [8, 9].map(id => ({ ...variantOf(id), answer, status: 'clear', listVersion: 'older' }));
    const after = before.map(one => ({
      ...{ ...one, answer: { ...answer, listings: [listing] }, status: 'hit', listVersion: version },
    }));
    for (const variants of [before, after]) await shop.variants.upsert('run', variants, { summarize: summarizeRates });
    await recordTariffAlert(shop, Date.UTC(2026, 9, 2, 12), harness.dataset);
    await harness.work(shop.domain);
    const sent = eventsOf(shop);
    expect(sent.map(({ handle, payload }) => [handle, payload.Variant])).toEqual([
      ['tariff-change-found', 'Bolt M8'],
      ['tariff-change-found', 'Bolt M9'],
    ]);
    expect(sent[0]!.payload).toMatchObject({
      ...{ product_id: 1, 'Status before': 'clear', 'Status after': 'hit', 'Rate before': '', 'Rate after': '25%' },
      ...{ 'Duty date': '2026-10-01', 'Checked date': '2026-10-02', 'List version': version, 'More variants': false },
      Message: expect.stringContaining('not covered → covered as a derivative article, rate none → 25%, duty applies'),
    });
  });

  it('describes a certificate’s problems in the store’s language', async () => {
    const shop = await harness.install(emptyShop('flow-certificates'));
    await shop.setSettings({ locale: 'de' });
    const about = { title: 'Helm', product: '7', certificate: 'gcc' };
    await recordAlerts(shop, Date.now(), [
      { key: 'a', kind: 'certificate_incomplete', detail: about },
      { key: 'b', kind: 'certificate_superseded', detail: about },
      { key: 'c', kind: 'certificate_retest', detail: { ...about, rule: '16 CFR 1203', due: '2027-01-01' } },
    ]);
    await harness.work(shop.domain);
    const sent = eventsOf(shop).map(({ payload }) => payload);
    expect(sent).toMatchObject([
      { product_id: 7, Reason: 'incomplete', 'Certificate ID': 'gcc', Rule: '', 'Due date': '' },
      { Reason: 'superseded' },
      { Reason: 'retest', Rule: '16 CFR 1203', 'Due date': '2027-01-01' },
    ]);
    expect(sent[0]!.Message).toMatch(/^Ein Zertifikat ist unvollständig/);
  });

  it('retries while Shopify is unavailable, but sends each event only once', async () => {
    const shop = await harness.install(emptyShop('flow-down'));
    await recordAlerts(shop, Date.now(), [
      { key: 'a', ...ERROR },
      { key: 'b', ...ERROR },
    ]);
    harness.fakeShopify.faults.plan({ kind: 'status', status: 503 }, { operation: 'FlowTriggerReceive', times: 2 });
    await harness.work(shop.domain);
    expect(eventsOf(shop)).toHaveLength(2);
    expect(new Set(eventsOf(shop).map(({ payload }) => payload['Event ID'])).size).toBe(2);
  });

  it.each([
    { kind: 'userErrors', message: 'Invalid handle' },
    { kind: 'error', code: 'ACCESS_DENIED' },
  ] as const)('completes the job without a retry if the shop can’t use Flow (%j)', async fault => {
    const shop = await harness.install(emptyShop(`flow-${fault.kind.toLowerCase()}`));
    await recordAlerts(shop, Date.now(), [{ key: 'a', ...ERROR }]);
    harness.fakeShopify.faults.plan(fault, { operation: 'FlowTriggerReceive' });
    await harness.work(shop.domain);
    expect(await shop.jobs.latest(FLOW_TRIGGERS)).toMatchObject({
      ...{ state: 'done', result: { sent: 0, rejected: 1 } },
    });
    await recordAlerts(shop, Date.now(), [{ key: 'b', ...ERROR }]);
    await harness.work(shop.domain);
    expect(eventsOf(shop)).toHaveLength(1);
  });

  it('limits the payload’s size and keeps text from the store on one line', async () => {
    const shop = await harness.install(emptyShop('flow-hostile'));
    const hostile = `Bolt\r\n\u202e${'長'.repeat(60_000)}`;
    const variant = { title: hostile, code: hostile, change: null, since: null, status: 'hit' };
    const detail = {
      version: '1',
      on: '2026-11-23',
      variants: [{ ...variant, product: '1', variant: '2' }],
      more: true,
    };
    await recordAlerts(shop, Date.now(), [
      { key: 'a', kind: 'error', detail: { title: hostile, place: hostile, fingerprint: 'f' } },
      { key: 'b', kind: 'tariff', detail },
    ]);
    await harness.work(shop.domain);
    expect(eventsOf(shop)).toHaveLength(2);
    expect(JSON.stringify(eventsOf(shop))).not.toMatch(/[\r\u202e]|\\n/);
  });
});

describe('alerts about tariff lists', () => {
  it('lists each variant whose result changed, with its previous and new results', async () => {
    const shop = await subscribed(cleanShop('alerts-tariff'));
    const variant = {
      ...{ variantId: 'gid://shopify/ProductVariant/1', productId: 'gid://shopify/Product/1', sku: null, origin: 'CN' },
      ...{ productTitle: 'Bolt', variantTitle: 'M8', htsCode: '7318152061', digits: 'full' },
      answer: { printed: '7318.15.20.61', listings: [{ duty_from: '2026-10-01' }] },
    };
    const { version } = harness.dataset;
    await shop.variants.upsert('run', [{ ...variant, status: 'clear', listVersion: 'older' }]);
    await shop.variants.upsert('run', [{ ...variant, status: 'hit', listVersion: version }]);
    for (let report = 0; report < 3; report++) await recordTariffAlert(shop, Date.now(), harness.dataset);
    const alerts = await waiting(shop);
    expect(alerts).toMatchObject([{ key: `tariff:${version}` }]);
    const { text } = composeAlerts({ id: 'm', alerts }, READER);
    expect(text).toContain(
      '- Bolt M8 · 7318.15.20.61: not covered → covered as a derivative article, duty applies since Oct 1, 2026',
    );
  });
});

describe('alerts about certificates', () => {
  const record = JSON.stringify({ request: {}, rules: [], childrens: null, completeness: {} });
  const report = (shop: Shop, status: 'complete' | 'incomplete' | 'superseded' | 'voided') =>
    recordCertificateCheck(
      { merchant: harness.app.offlineContext(shop.domain), clock: Date.now },
      'gid://shopify/Product/7',
      { id: `gcc-${status}`, status, record },
    );

  it('reports incomplete and superseded certificates, and no others', async () => {
    const shop = await subscribed(emptyShop('alerts-certificates'));
    for (const status of ['complete', 'voided', 'incomplete', 'superseded'] as const) await report(shop, status);
    expect((await waiting(shop)).map(({ key }) => key).sort()).toEqual([
      'certificate_incomplete:gcc-incomplete',
      'certificate_superseded:gcc-superseded',
    ]);
  });
});

const READER = {
  ...{ domain: 'a.myshopify.com', language: 'en', adminUrl: 'https://admin.shopify.com/store/a/apps/key' },
  unsubscribeUrl: 'https://app.example/unsubscribe?shop=a',
};
const alertOf = (event: AlertEvent, key = 'k'): Alert => ({ key, at: 0, ...event });

describe('alert email text', () => {
  it('links to the finding and to the unsubscribe page', () => {
    const { subject, text } = composeAlerts({ id: 'm', alerts: [alertOf(ERROR)] }, READER);
    expect(subject).toBe('New tracking error (a.myshopify.com)');
    expect(text).toContain('View finding: https://admin.shopify.com/store/a/apps/key/app/findings/f');
    expect(text).toContain('Turn off alerts: https://app.example/unsubscribe?shop=a');
  });

  it('removes line breaks from text that comes from the store', () => {
    const title = 'Bolt\r\nBcc: eve@example.com\u2028\u202e';
    const detail = { title, product: '7', certificate: 'gcc' };
    const { text } = composeAlerts({ id: 'm', alerts: [alertOf({ kind: 'certificate_incomplete', detail })] }, READER);
    expect(text).toContain('  Bolt Bcc: eve@example.com, certificate gcc\n');
    expect(text).not.toMatch(/[\r\u2028\u202e]/);
  });

  it.each(['en', 'de', 'fr', 'es', 'ja'])('contains every message in %s', language => {
    const about = { title: null, product: '7', certificate: 'gcc' };
    const variant = { title: 'Bolt', code: null, change: { from: 'clear', to: 'hit' }, since: '2026-10-01' };
    const events: AlertEvent[] = [
      ERROR,
      {
        kind: 'tariff',
        detail: { version: '1', on: '2026-11-23', variants: [variant, { ...variant, change: null }], more: true },
      },
      { kind: 'certificate_incomplete', detail: about },
      { kind: 'certificate_superseded', detail: about },
      { kind: 'certificate_retest', detail: { ...about, rule: '16 CFR 1250', due: '2027-01-01' } },
    ];
    const { subject, text } = composeAlerts(
      { id: 'm', alerts: events.map(event => alertOf(event)) },
      { ...READER, language },
    );
    expect(`${subject}\n${text}`).not.toMatch(/\{\{|\b(subject|error|tariff|status|certificate_\w+)\.\w+|undefined/);
  });
});

describe('the unsubscribe page', () => {
  const open = (url: string, method = 'GET') =>
    unsubscribePage(new Request(url, { method }), { store: harness.store, links, clock: Date.now });
  const whenOf = async (shop: Shop) => ((await shop.record())!.settings.alerts as { when: string }).when;

  it('turns alerts off only when the recipient confirms, because mail scanners open links', async () => {
    const shop = await subscribed(emptyShop('alerts-unsubscribe'));
    const url = links.urlFor(shop.domain, EMAIL);
    const asked = await open(url);
    expect([asked.status, await whenOf(shop)]).toEqual([200, 'at_once']);
    expect(await asked.text()).toContain('<form method="post">');
    const done = await open(url, 'POST');
    expect(await done.text()).toContain('Email alerts are off');
    expect(await whenOf(shop)).toBe('off');
  });

  it('rejects an altered link, a link for another shop, and a link for a different email address', async () => {
    const shop = await subscribed(emptyShop('alerts-signed'));
    const other = await subscribed(emptyShop('alerts-signed-other'));
    const url = links.urlFor(shop.domain, EMAIL);
    const wrong = [
      url.replace(/.$/, last => (last === 'A' ? 'B' : 'A')).replace('signature=', 'signature=x'),
      url.replace(shop.domain, other.domain),
      links.urlFor(shop.domain, 'eve@example.com'),
      createUnsubscribeLinks('https://app.example', [Buffer.alloc(32, 8)]).urlFor(shop.domain, EMAIL),
      'https://app.example/unsubscribe',
      'https://app.example/unsubscribe?shop=nowhere.myshopify.com&signature=x',
    ];
    for (const each of wrong) expect((await open(each, 'POST')).status).toBe(404);
    expect([await whenOf(shop), await whenOf(other)]).toEqual(['at_once', 'at_once']);
  });

  it('accepts links that were signed before the keys were rotated', async () => {
    const rotated = createUnsubscribeLinks('https://app.example', [Buffer.alloc(32, 9), ...KEYS]);
    const signature = new URL(links.urlFor('a.myshopify.com', EMAIL)).searchParams.get('signature')!;
    expect(rotated.verify(signature, 'a.myshopify.com', EMAIL)).toBe(true);
  });
});
