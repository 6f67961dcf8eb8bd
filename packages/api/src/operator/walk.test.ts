import { describeWithBrowser, inspect, watch } from '@compliance/browser';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { issueCertificate, SECRET, serveOperatorService } from '../testing/operator.ts';

const KEY = /^cmpl_live_(all|tariff|pixel|entry)_[0-9A-Za-z]{38}$/;
const LONG = `${'Zwischenhandelsgesellschaft'.repeat(4)} GmbH & Co. <KG>`;

await describeWithBrowser('the operator pages in a browser', browser => {
  let service: Awaited<ReturnType<typeof serveOperatorService>>;
  let context: BrowserContext;
  let page: Page;
  let strange: string[];

  beforeAll(async () => {
    service = await serveOperatorService();
    context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(5_000);
    strange = watch(context, service.base);
  });
  afterAll(async () => {
    await context.close();
    await service.stop();
  });
  beforeEach(() => {
    service.time.now += 60_000;
    strange.length = 0;
  });

  const path = () => new URL(page.url()).pathname;
  const open = (where: string) => page.goto(`${service.base}${where}`);
  const signIn = async (secret = SECRET) => {
    await open('/operator/sign-in');
    await page.getByLabel('Operator secret').fill(secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  /** Opens a page as an operator, whose session may have ended since. */
  const openSignedIn = async (where: string) => {
    await open(where);
    if (path() !== '/operator/sign-in') return;
    await signIn();
    await open(where);
  };
  /** The key that the page shows, as one click and the clipboard's shortcut would take it. */
  const selectedKey = async () => {
    await page.locator('output').click();
    return await page.evaluate<string>('getSelection().toString().trim()');
  };

  it('sign in, after a wrong secret that changes nothing', async () => {
    await open('/operator/keys');
    expect(path()).toBe('/operator/sign-in');
    await inspect(page, 'sign-in');
    await signIn('wrong');
    expect(await page.getByText('This is not the operator secret.').isVisible()).toBe(true);
    await inspect(page, 'sign-in-wrong');
    await open('/operator/keys');
    expect(path()).toBe('/operator/sign-in');
    await signIn();
    expect(path()).toBe('/operator/keys');
    expect(await page.evaluate('document.cookie')).toBe('');
    await inspect(page, 'keys-none');
    expect(strange.filter(text => !text.includes('401'))).toEqual([]);
  });

  it('issue a key that is shown once and works', async () => {
    await open('/operator/keys');
    await page.getByLabel('Scope', { exact: true }).selectOption('tariff');
    await page.getByRole('textbox', { name: 'Note' }).fill('Acme Hardware, Ohio');
    await page.getByLabel('Open the beta gate').check();
    await page.getByRole('button', { name: 'Issue key' }).click();
    const key = await selectedKey();
    expect(key).toMatch(KEY);
    expect(await service.store.keys.authenticate(key)).toMatchObject({
      scope: 'tariff',
      note: 'Acme Hardware, Ohio delegate:on',
    });
    await inspect(page, 'key-issued');
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This form was sent already');
    expect(await service.store.keys.list()).toHaveLength(1);
    await open('/operator/keys');
    expect(await page.content()).not.toContain(key);
    await page.getByText('Issue a key').click();
    await inspect(page, 'keys-issue');
    expect(strange.filter(text => !text.includes('409'))).toEqual([]);
  });

  it('find a key, see its use, and edit its note and scope', async () => {
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
    expect(await page.getByRole('status').textContent()).toBe('Saved.');
    expect(await page.locator('main').textContent()).toContain('Iowa');
    expect(await service.store.keys.list()).toContainEqual(expect.objectContaining({ id: record!.id, scope: 'all' }));
    expect(strange).toEqual([]);
  });

  it('rotate a key with an overlap, then revoke the old one', async () => {
    const old = (await service.store.keys.list()).find(({ note }) => note.includes('Iowa'))!;
    await openSignedIn(`/operator/keys/${old.id}`);
    await page.getByLabel('The old key keeps working for').selectOption('1h');
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const key = await selectedKey();
    expect(await service.store.keys.authenticate(key)).toMatchObject({ family: old.family });
    expect(await page.getByText('The old key works for one hour more.').isVisible()).toBe(true);
    await inspect(page, 'key-rotated');
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This key was rotated already');
    await inspect(page, 'refused');

    await openSignedIn(`/operator/keys/${old.id}`);
    expect(await page.getByRole('button', { name: 'Rotate key' }).count()).toBe(0);
    await page.getByText('Revoke this key').click();
    await inspect(page, 'key-expiring');
    await page.getByRole('button', { name: 'Revoke key now' }).click();
    expect(await page.locator('.heading .badge').first().textContent()).toBe('revoked');
    await inspect(page, 'key-revoked');
    expect((await service.store.keys.list()).map(({ id }) => id)).not.toContain(old.id);
    expect(await service.store.keys.authenticate(key)).not.toBeNull();
    await open('/operator/keys');
    await page.getByText('With ended keys (1)').click();
    expect(await page.locator('.badge.bad').textContent()).toBe('revoked');
  });

  it('ask for a key at /beta, and approve and decline on the waitlist', async () => {
    await open('/beta');
    await inspect(page, 'beta');
    await page.getByLabel('E-mail').fill('no address');
    await page.getByRole('button', { name: 'Join the waitlist' }).click();
    expect(await page.getByText('Tell us the name of your company.').isVisible()).toBe(true);
    expect(await page.getByLabel('E-mail').inputValue()).toBe('no address');
    await inspect(page, 'beta-faults');
    for (const company of ['Northwind Imports', LONG, 'Third & Sons']) {
      await open('/beta');
      await page.getByLabel('Company').fill(company);
      await page.getByLabel('Use case').fill('Check our catalog of fasteners\nbefore each purchase order.');
      await page.getByLabel('Expected volume').fill('2,000 look-ups a month');
      await page.getByLabel('E-mail').fill('trade.compliance@northwind-imports.example');
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
    await first.getByLabel('Scope of the key').selectOption('entry');
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

  it('find a certificate and void it, with a reason and a confirmation', async () => {
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
    await page.getByLabel('Issued to').fill('2030-01-01');
    await page.getByRole('button', { name: 'Search' }).click();
    expect(await page.locator('.rows > li').count()).toBe(1);
    await page.locator('.rows a.name').click();
    expect(path()).toBe(`/operator/certificates/${second}`);
    await page.getByText('Void this certificate').click();
    await inspect(page, 'certificate');
    await page.getByLabel('Reason').fill('Wrong testing laboratory');
    // The browser itself holds a form back that is not confirmed.
    await page.getByRole('button', { name: 'Void certificate now' }).click();
    expect(await service.store.certificates.get(second)).toMatchObject({ status: 'valid' });
    await page.getByLabel('Void it for good').check();
    await page.getByRole('button', { name: 'Void certificate now' }).click();
    expect(await page.getByRole('status').textContent()).toContain('Voided.');
    expect(await page.getByRole('button', { name: 'Void certificate now' }).count()).toBe(0);
    await inspect(page, 'certificate-voided');
    expect(await service.store.certificates.get(second)).toMatchObject({ voidReason: 'Wrong testing laboratory' });
    await page.getByRole('link', { name: 'The page that everyone sees' }).click();
    expect(await page.locator('main').textContent()).toContain('Wrong testing laboratory');
    await openSignedIn('/operator/audit');
    await page.locator('a', { hasText: second }).first().click();
    expect(path()).toBe(`/operator/certificates/${second}`);
    await page.locator('.rows a', { hasText: first }).click();
    await inspect(page, 'certificate-superseded');
    expect(strange.filter(text => !text.includes('404'))).toEqual([]);
  });

  it('read the lists and the audit log', async () => {
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
    await inspect(page, 'nothing');
  });

  it('refuse a form that was stolen: sent from another site, or without the session’s token', async () => {
    const before = await service.store.keys.list();
    await openSignedIn('/operator/keys');
    await page.getByText('Issue a key').click();
    await page.evaluate("document.querySelector('main [name=form_token]').value = 'x'.repeat(64)");
    await page.getByRole('button', { name: 'Issue key' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This form was refused');

    const thief = await context.newPage();
    const token = await service.store.operator.openSession('hash of the secret');
    await thief.route('http://thief.test/', route =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${service.base}/operator/keys"><input name="form_token" value="${token.session.formToken}"><input name="scope" value="all"><button>Win</button></form>`,
      }),
    );
    await thief.goto('http://thief.test/');
    await thief.getByRole('button').click();
    await thief.waitForLoadState();
    expect(await thief.getByRole('heading', { level: 1 }).textContent()).toBe('This form was refused');
    await thief.close();
    expect(await service.store.keys.list()).toEqual(before);
  });

  it('end a session by its time, and by signing out', async () => {
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

  it('lock out who guesses, even with the right secret, until the time is over', async () => {
    for (let guess = 0; guess < 5; guess++) await signIn(`guess ${guess}`);
    await signIn();
    expect(await page.getByText('Too many wrong secrets').isVisible()).toBe(true);
    await inspect(page, 'locked-out');
    service.time.now += 15 * 60_000;
    await signIn();
    expect(path()).toBe('/operator/keys');
  });

  it('work without a script', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    page = await plain.newPage();
    await signIn();
    await page.getByText('Issue a key').click();
    await page.getByRole('button', { name: 'Issue key' }).click();
    expect(await page.locator('output').textContent()).toMatch(KEY);
    await plain.close();
  });
});
