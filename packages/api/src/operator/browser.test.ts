import { describeWithBrowser, inspect, watch } from '@compliance/browser';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { issueCertificate, SECRET, serveOperatorService } from '../testing/operator-service.ts';

const KEY = /^cmpl_live_(all|tariff|pixel|render|entry)_[0-9A-Za-z]{38}$/;
const LONG = `${'Zwischenhandelsgesellschaft'.repeat(4)} GmbH & Co. <KG>`;

await describeWithBrowser('the operator pages in a browser', browser => {
  let service: Awaited<ReturnType<typeof serveOperatorService>>;
  let context: BrowserContext;
  let page: Page;
  let unexpected: string[];

  beforeAll(async () => {
    service = await serveOperatorService();
    context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(5_000);
    unexpected = watch(context, service.base);
  });
  afterAll(async () => {
    await context.close();
    await service.stop();
  });
  beforeEach(() => {
    service.time.now += 60_000;
    unexpected.length = 0;
  });

  const path = () => new URL(page.url()).pathname;
  const open = (target: string) => page.goto(`${service.base}${target}`);
  const signIn = async (secret = SECRET) => {
    await open('/operator/sign-in');
    await page.getByLabel('Operator secret').fill(secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  /** Opens a page as the operator. Signs in if the session has expired. */
  const openSignedIn = async (target: string) => {
    await open(target);
    if (path() !== '/operator/sign-in') return;
    await signIn();
    await open(target);
  };
  /** Clicks the full key on the page and returns the selected text. */
  const selectedKey = async () => {
    await page.locator('output').click();
    return await page.evaluate<string>('getSelection().toString().trim()');
  };

  it('rejects an incorrect secret and accepts the correct one', async () => {
    await open('/operator/keys');
    expect(path()).toBe('/operator/sign-in');
    await inspect(page, 'sign-in');
    await signIn('wrong');
    expect(await page.getByText('Incorrect operator secret.').isVisible()).toBe(true);
    await inspect(page, 'sign-in-wrong');
    await open('/operator/keys');
    expect(path()).toBe('/operator/sign-in');
    await signIn();
    expect(path()).toBe('/operator/keys');
    expect(await page.evaluate('document.cookie')).toBe('');
    await inspect(page, 'keys-none');
    expect(unexpected.filter(text => !text.includes('401'))).toEqual([]);
  });

  it('issues a working key and shows it only once', async () => {
    await open('/operator/keys');
    await page.getByLabel('Scope', { exact: true }).selectOption('tariff');
    await page.getByRole('textbox', { name: 'Note' }).fill('Acme Hardware, Ohio');
    await page.getByLabel('Grant delegate access').check();
    await page.getByRole('button', { name: 'Issue key' }).click();
    const key = await selectedKey();
    expect(key).toMatch(KEY);
    expect(await service.store.keys.authenticate(key)).toMatchObject({
      scope: 'tariff',
      note: 'Acme Hardware, Ohio delegate:on',
    });
    await inspect(page, 'key-issued');
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This form was already submitted');
    expect(await service.store.keys.list()).toHaveLength(1);
    await open('/operator/keys');
    expect(await page.content()).not.toContain(key);
    await page.getByText('Issue a key').click();
    await inspect(page, 'keys-issue');
    expect(unexpected.filter(text => !text.includes('409'))).toEqual([]);
  });

  it('finds a key, shows its usage, and edits its note and scope', async () => {
    const [record] = await service.store.keys.list();
    for (let day = 0; day < 40; day++) {
      service.time.now += 86_400_000;
      const operations = day % 7 < 2 ? [] : ['tariff.hts.lookup', ...(day % 3 === 0 ? ['pixel.scan'] : [])];
      for (const operation of operations) {
        for (let use = 0; use <= (day * 7) % 12; use++)
          await service.store.usage.record({ keyId: record!.id, operation });
      }
    }
    await service.store.keys.issue({ scope: 'all', note: LONG, actor: 'test' });
    await service.store.keys.issue({ scope: 'pixel', actor: 'test' });
    await openSignedIn('/operator/keys');
    await inspect(page, 'keys');
    await page.getByRole('searchbox').fill('ohio TARIFF');
    await page.getByRole('button', { name: 'Search' }).click();
    expect(await page.locator('.keys > li').count()).toBe(1);
    await page.locator('.keys a').click();
    await page.getByText('by day and operation').click();
    expect(await page.locator('.chart rect').count()).toBe(30);
    await inspect(page, 'key');
    await page.getByRole('textbox', { name: 'Note' }).fill('Acme Hardware, Iowa delegate:on');
    await page.getByLabel('Scope', { exact: true }).selectOption('all');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.getByRole('status').textContent()).toBe('Changes saved.');
    expect(await page.locator('main').textContent()).toContain('Iowa');
    expect(await service.store.keys.list()).toContainEqual(expect.objectContaining({ id: record!.id, scope: 'all' }));
    expect(unexpected).toEqual([]);
  });

  it('rotates a key with an overlap and then revokes the old key', async () => {
    const old = (await service.store.keys.list()).find(({ note }) => note.includes('Iowa'))!;
    await openSignedIn(`/operator/keys/${old.id}`);
    expect(await page.getByText('rotate this key instead').count()).toBe(1);
    await page.getByLabel('Keep the old key active for').selectOption('1h');
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const key = await selectedKey();
    expect(await service.store.keys.authenticate(key)).toMatchObject({ family: old.family });
    expect(await page.getByText('The old key expires in 1 hour.').isVisible()).toBe(true);
    await inspect(page, 'key-rotated');
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This key was already rotated');
    await inspect(page, 'refused');

    await openSignedIn(`/operator/keys/${old.id}`);
    expect(await page.getByRole('button', { name: 'Rotate key' }).count()).toBe(0);
    expect(await page.getByText('rotate this key instead').count()).toBe(0);
    await page.getByText('Revoke this key').click();
    await inspect(page, 'key-expiring');
    await page.getByRole('button', { name: 'Revoke key' }).click();
    expect(await page.locator('.heading .badge').first().textContent()).toBe('revoked');
    await inspect(page, 'key-revoked');
    expect((await service.store.keys.list()).map(({ id }) => id)).not.toContain(old.id);
    expect(await service.store.keys.authenticate(key)).not.toBeNull();
    await open('/operator/keys');
    await page.getByText('Show inactive keys (1)').click();
    expect(await page.locator('.badge.bad').textContent()).toBe('revoked');
  });

  it('approves and declines waitlist requests submitted at /beta', async () => {
    await open('/beta');
    await inspect(page, 'beta');
    await page.getByLabel('Email').fill('no address');
    await page.getByRole('button', { name: 'Join the waitlist' }).click();
    expect(await page.getByText('Enter your company name.').isVisible()).toBe(true);
    expect(await page.getByLabel('Email').inputValue()).toBe('no address');
    await inspect(page, 'beta-errors');
    for (const company of ['Northwind Imports', LONG, 'Third & Sons']) {
      await open('/beta');
      await page.getByLabel('Company').fill(company);
      await page.getByLabel('Use case').fill('Check our catalog of fasteners\nbefore each purchase order.');
      await page.getByLabel('Expected volume').fill('2,000 lookups per month');
      await page.getByLabel('Email').fill('trade.compliance@northwind-imports.example');
      await page.getByRole('button', { name: 'Join the waitlist' }).click();
      expect(path()).toBe('/beta/received');
    }
    await inspect(page, 'beta-received');

    await openSignedIn('/operator/waitlist');
    await page.locator('.rows > li').nth(2).getByRole('button', { name: 'Mark as founding tier' }).click();
    const first = page.locator('.rows > li').first();
    expect(await first.textContent()).toContain('Third & Sons');
    expect(await first.textContent()).toContain('3 requests');
    await inspect(page, 'waitlist');
    await first.getByText('Approve', { exact: true }).click();
    await first.getByText('Decline', { exact: true }).click();
    await inspect(page, 'waitlist-deciding');
    await first.getByLabel('Key scope').selectOption('entry');
    await first.getByRole('button', { name: 'Approve and issue key' }).click();
    expect(await service.store.keys.authenticate(await selectedKey())).toMatchObject({
      scope: 'entry',
      note: 'Third & Sons; delegate:on',
    });
    await inspect(page, 'waitlist-approved');
    await openSignedIn('/operator/waitlist');
    await page.locator('.rows > li').first().getByText('Decline', { exact: true }).click();
    await page.getByRole('button', { name: 'Decline request' }).click();
    await page.getByRole('link', { name: 'Declined' }).click();
    expect(await page.locator('.rows > li').textContent()).toContain('Northwind Imports');
    await inspect(page, 'waitlist-declined');
  });

  it('finds a certificate and voids it with a reason and a confirmation', async () => {
    await openSignedIn('/operator/certificates');
    await inspect(page, 'certificates-none');
    const key = await service.issue('entry', 'Acme Hardware, Ohio delegate:on');
    const first = await issueCertificate(service, { product: { name: `Helmet of ${LONG}`.slice(0, 120) } }, key);
    service.time.now += 1000;
    const second = await issueCertificate(service, { supersedes: first }, key);
    await issueCertificate(service, { product: { name: 'Desk Lamp', model: 'DL', sku: 'DL-7' } }, key);
    await openSignedIn('/operator/certificates');
    await inspect(page, 'certificates');
    await page.getByRole('searchbox').fill('bicycle rb-200-m');
    await page.getByLabel('Issued on or before').fill('2030-01-01');
    await page.getByRole('button', { name: 'Search' }).click();
    expect(await page.locator('.rows > li').count()).toBe(1);
    await page.locator('.rows a.name').click();
    expect(path()).toBe(`/operator/certificates/${second}`);
    await page.getByText('Void this certificate').click();
    await inspect(page, 'certificate');
    await page.getByLabel('Reason').fill('Wrong testing laboratory');
    // Without the required confirmation, the browser doesn't submit the form.
    await page.getByRole('button', { name: 'Void certificate' }).click();
    expect(await service.store.certificates.get(second)).toMatchObject({ status: 'complete' });
    await page.getByLabel('I understand that this is permanent').check();
    await page.getByRole('button', { name: 'Void certificate' }).click();
    expect(await page.getByRole('status').textContent()).toContain('Certificate voided.');
    expect(await page.getByRole('button', { name: 'Void certificate' }).count()).toBe(0);
    await inspect(page, 'certificate-voided');
    expect(await service.store.certificates.get(second)).toMatchObject({ voidReason: 'Wrong testing laboratory' });
    await page.getByRole('link', { name: 'View public page' }).click();
    expect(await page.locator('main').textContent()).toContain('Wrong testing laboratory');
    await openSignedIn('/operator/audit');
    await page.locator('a', { hasText: second }).first().click();
    expect(path()).toBe(`/operator/certificates/${second}`);
    await page.locator('.rows a', { hasText: first }).click();
    await inspect(page, 'certificate-superseded');
    expect(unexpected.filter(text => !text.includes('404'))).toEqual([]);
  });

  it('shows the tariff lists and the audit log', async () => {
    await openSignedIn('/operator/lists');
    await inspect(page, 'lists');
    await open('/operator/audit');
    const log = await page.locator('main').textContent();
    for (const action of ['key.issue', 'key.rotate', 'key.revoke', 'waitlist.approve', 'operator.sign_in']) {
      expect(log).toContain(action);
    }
    expect(log).not.toContain('@');
    await inspect(page, 'audit');
    await open('/operator/nothing');
    await inspect(page, 'not-found');
  });

  it('rejects forms submitted from another site or without the session’s CSRF token', async () => {
    const before = await service.store.keys.list();
    await openSignedIn('/operator/keys');
    await page.getByText('Issue a key').click();
    await page.evaluate("document.querySelector('main [name=form_token]').value = 'x'.repeat(64)");
    await page.getByRole('button', { name: 'Issue key' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Form not accepted');

    const attacker = await context.newPage();
    const token = await service.store.operator.openSession('hash of the secret');
    await attacker.route('http://attacker.test/', route =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${service.base}/operator/keys"><input name="form_token" value="${token.session.csrfToken}"><input name="scope" value="all"><button>Win</button></form>`,
      }),
    );
    await attacker.goto('http://attacker.test/');
    await attacker.getByRole('button').click();
    await attacker.waitForLoadState();
    expect(await attacker.getByRole('heading', { level: 1 }).textContent()).toBe('Form not accepted');
    await attacker.close();
    expect(await service.store.keys.list()).toEqual(before);
  });

  it('ends a session after inactivity or when the operator signs out', async () => {
    await openSignedIn('/operator/keys');
    service.time.now += 3_600_000;
    await page.getByText('Issue a key').click();
    await page.getByRole('button', { name: 'Issue key' }).click();
    expect(path()).toBe('/operator/sign-in');
    expect(await page.getByText('Your session has ended.').isVisible()).toBe(true);
    await inspect(page, 'session-ended');
    await signIn();
    const [cookie] = await context.cookies();
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(path()).toBe('/operator/sign-in');
    await context.addCookies([cookie!]);
    await open('/operator/keys');
    expect(path()).toBe('/operator/sign-in');
  });

  it('locks out a client after repeated incorrect secrets and rejects even the correct secret until the lockout ends', async () => {
    for (let guess = 0; guess < 5; guess++) await signIn(`guess ${guess}`);
    await signIn();
    expect(await page.getByText('Too many failed sign-in attempts').isVisible()).toBe(true);
    await inspect(page, 'locked-out');
    service.time.now += 15 * 60_000;
    await signIn();
    expect(path()).toBe('/operator/keys');
  });

  it('signs in and issues a key without JavaScript', async () => {
    const withoutScripts = await browser.newContext({ javaScriptEnabled: false });
    page = await withoutScripts.newPage();
    await signIn();
    await page.getByText('Issue a key').click();
    await page.getByRole('button', { name: 'Issue key' }).click();
    expect(await page.locator('output').textContent()).toMatch(KEY);
    await withoutScripts.close();
  });
});
