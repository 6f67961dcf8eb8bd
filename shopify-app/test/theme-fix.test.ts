import { merchantActions, sampleShop } from '@compliance/fake-shopify';
import { describeInBrowser } from '@compliance/fake-shopify/browser';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from './browser-session.ts';

const DOMAIN = 'sample-shop.myshopify.com';
const TRACKING = 'snippets/tracking.liquid';

// Follows a merchant who applies a fix in the theme editor. Each test continues from the state of the previous test.
await describeInBrowser('a fix for a theme finding', open => {
  let session: BrowserSession;
  let frame: Frame;
  const files = () => session.fakeShopify.shops.get(DOMAIN)!.themes[0]!.files;
  const fixed = () => frame.getByText(/^Checked again: fixed/).first();

  beforeAll(async () => {
    session = await startBrowserSession(open, [sampleShop()]);
    await session.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await (await session.visit()).getByText(/^Last scanned/).waitFor({ timeout: 40_000 });
  });
  afterAll(() => session?.close());

  it('shows the exact lines to delete, and copies the corrected file', async () => {
    frame = await session.visit('/app/findings');
    await frame.getByRole('link', { name: /Universal Analytics/ }).click();
    const diff = frame.getByRole('table', { name: TRACKING });
    await diff.waitFor();
    const removed = diff.getByRole('row').filter({ hasText: 'Removed' });
    expect(await removed.count()).toBe(5);
    expect(await removed.nth(2).textContent()).toBe("4−Removed  ga('create', 'UA-48151623-1', 'auto');");
    await session.checkScreen(frame, 'finding-with-fix');
    await frame.getByRole('button', { name: 'Copy corrected file' }).click();
    await frame.getByRole('button', { name: 'Copied' }).waitFor();
    await frame.getByText(/^We’re watching your published theme/).waitFor();
  });

  it('shows the finding as fixed shortly after the merchant pastes and saves the file, without a manual scan', async () => {
    const before = files().get(TRACKING)!;
    const [editor] = await Promise.all([
      session.page.waitForEvent('popup'),
      frame.getByRole('link', { name: /^Open in code editor/ }).click(),
    ]);
    const code = editor.getByLabel(TRACKING);
    await code.fill('');
    await code.focus();
    await editor.keyboard.press('Control+V');
    // Closing a tab while it navigates can hang, so wait for the saved page.
    await Promise.all([editor.waitForEvent('load'), editor.getByRole('button', { name: 'Save' }).click()]);
    expect(files().get(TRACKING)).not.toBe(before);
    await editor.close();
    // A headless browser considers all tabs visible, so it doesn't fire this event when the merchant returns.
    await frame.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await fixed().waitFor({ timeout: 40_000 });
    expect(await frame.getByRole('table').count()).toBe(0);
    await session.checkScreen(frame, 'finding-fixed');
    const kept = files().get(TRACKING)!;
    expect(before.split('\n').filter(line => !kept.split('\n').includes(line))).not.toEqual([]);
    expect(kept.split('\n').filter(line => !before.split('\n').includes(line))).toEqual([]);
  });

  it('checks a finding again immediately, even on a slow connection, and shows whether it’s still there', async () => {
    frame = await session.visit('/app/findings');
    await frame
      .getByRole('link', { name: /Meta pixel/ })
      .first()
      .click();
    const again = frame.getByRole('button', { name: 'Check again' });
    await again.click();
    await frame.getByText(/^Checked again .*: the problem is still there\.$/).waitFor({ timeout: 20_000 });
    merchantActions(session.fakeShopify, DOMAIN).editThemeFile(TRACKING, '');
    // The page data takes longer than the polling interval to arrive.
    await session.page.route(/_data=routes%2Fapp\.findings\.%24fingerprint/, async route => {
      if (route.request().method() !== 'GET') return await route.continue();
      const response = await route.fetch();
      await new Promise(done => setTimeout(done, 2_500));
      await route.fulfill({ response });
    });
    await again.click();
    await fixed().waitFor({ timeout: 30_000 });
    expect(session.consoleErrors).toEqual([]);
  });
});
