import { createScanner } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { cleanShop, type FakeShop, gid, PASTED, sampleShop, sampleThemeFiles } from '@compliance/fake-shopify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeFiles, createJobHarness, detailsOf, type JobHarness, newestScan } from '../../test/job-harness.ts';
import { AdminApiError, type AdminFault } from '../admin/admin.ts';

let harness: JobHarness;
beforeAll(async () => {
  harness = await createJobHarness();
});
beforeEach(() => {
  harness.beforeAsking = () => undefined;
});
afterAll(() => harness.close());

async function scanned(given: FakeShop) {
  const shop = harness.store.shop(given.domain);
  if (!(await shop.record())) await harness.install(given);
  const job = await harness.scan(given.domain);
  return { shop, job, scan: await newestScan(shop) };
}

/** Makes one Admin API operation fail for the rest of the test. */
const answers = (operation: string, fault: AdminFault) => {
  harness.beforeAsking = asked => {
    if (asked === operation) throw new AdminApiError(fault, operation);
  };
};

describe('scans during Shopify failures', () => {
  it('completes the scan after throttling, an error, a delay, and malformed JSON', async () => {
    const given = sampleShop('trouble');
    await harness.install(given);
    const { faults } = harness.fakeShopify;
    faults.plan({ kind: 'throttled' }, { operation: 'ThemeFiles', times: 2 });
    faults.plan({ kind: 'status', status: 503 }, { operation: 'ShopContext' });
    faults.plan({ kind: 'slow', ms: 300 }, { operation: 'ThemeChecksums' });
    faults.plan({ kind: 'broken' }, { operation: 'MainTheme' });
    const { scan, job } = await scanned(given);
    expect([scan.state, job.attempts]).toEqual(['complete', 1]);
    expect(
      harness.fakeShopify.calls.filter(({ shop, operation }) => shop === given.domain && operation === 'ThemeFiles'),
    ).toHaveLength(3);
  });

  it.each(['throttled', 'unavailable', 'unexpected', 'forbidden'] as const)(
    'reports the persistent Shopify error %s as the reason the theme wasn’t read',
    async fault => {
      answers('ThemeFiles', fault);
      const given = sampleShop(`stays-${fault}`);
      const { scan, shop } = await scanned(given);
      expect([scan.state, scan.reason]).toEqual(['partial', 'theme']);
      expect(scan.coverage.theme).toMatchObject({ state: 'not_read', fault, files: codeFiles(given), filesRead: 0 });
      expect(detailsOf(scan, 'ga_analytics_js_legacy')[0]).toMatchObject({ origin: 'unknown' });
      expect(scan.covered.filter(place => place.startsWith('theme:'))).toEqual([]);
      expect(await shop.themeFiles.list('101')).toEqual([]);
    },
  );

  it('reads the storefront at its last known host when the shop query fails', async () => {
    const given = sampleShop('silent');
    await scanned(given);
    answers('ShopContext', 'unavailable');
    const { scan } = await scanned(given);
    expect([scan.coverage.host, scan.state, scan.coverage.theme.state]).toEqual([
      'www.silent.example',
      'complete',
      'read',
    ]);
    expect(scan.coverage.pages.find(({ kind }) => kind === 'product')?.state).toBe('read');
  });

  it('keeps earlier results if the token is revoked, and asks the merchant to reopen the app', async () => {
    const given = sampleShop('lost');
    await harness.install(given);
    harness.beforeAsking = operation => {
      if (operation === 'ThemeFiles') harness.fakeShopify.tokens.revoke(given.domain);
    };
    const { scan, job, shop } = await scanned(given);
    expect([job.state, job.error]).toEqual(['failed', 'revoked']);
    expect([scan.state, scan.reason]).toEqual(['partial', 'revoked']);
    expect(scan.coverage.theme).toMatchObject({ state: 'not_read', fault: 'revoked' });
    expect(scan.coverage.pages.map(({ state }) => state)).toEqual(['read', 'read', 'read', 'read']);
    expect((await shop.record())?.needsReopeningAt).not.toBeNull();
  });

  it('stops scanning a frozen shop and reports that the shop is frozen', async () => {
    answers('ShopContext', 'frozen');
    const { scan, job } = await scanned(sampleShop('frozen'));
    expect([job.state, job.error, scan.reason]).toEqual(['failed', 'frozen', 'frozen']);
  });
});

describe('theme reads', () => {
  it('finds the same problems whether Shopify returns theme files as text, as Base64, or at a URL', async () => {
    const given = sampleShop('bodies');
    const { scan } = await scanned(given);
    for (const as of ['base64', 'url'] as const) {
      harness.fakeShopify.faults.plan({ kind: 'fileBodies', as }, { operation: 'ThemeFiles' });
      const { scan: again } = await scanned(given);
      expect(again.coverage.theme).toEqual(scan.coverage.theme);
      expect(again.findings).toEqual(scan.findings);
    }
  });

  it('reports files that Shopify didn’t return, and doesn’t mark findings in those files as fixed', async () => {
    const given = cleanShop('failed-file');
    const tracking = "<script>var _gaq = _gaq || []; _gaq.push(['_setAccount', 'UA-1-1']);</script>";
    given.themes[0]!.files.set('snippets/unused.liquid', tracking);
    const { scan: before } = await scanned(given);
    expect(detailsOf(before, 'ga_js_legacy')).toHaveLength(1);
    const filenames = ['snippets/unused.liquid'];
    harness.fakeShopify.faults.plan({ kind: 'fileErrors', filenames }, { operation: 'ThemeChecksums' });
    harness.fakeShopify.faults.plan({ kind: 'fileErrors', filenames }, { operation: 'ThemeFiles' });
    const { scan, shop } = await scanned(given);
    expect([scan.state, scan.reason]).toEqual(['partial', 'theme']);
    expect(scan.coverage.theme).toMatchObject({
      ...{ state: 'partial', files: codeFiles(given), filesRead: codeFiles(given) - 1 },
      notRead: [{ name: 'snippets/unused.liquid', reason: 'failed' }],
    });
    expect(scan.changes).toMatchObject({ fixed: [], unseen: 1 });
    expect((await shop.findings.counts()).open).toBe(1);
  });

  it('reports an unreadable file added during the read, and a file whose name is too long to store', async () => {
    const given = cleanShop('late-file');
    const endless = `snippets/${'ü'.repeat(500)}.liquid`;
    given.themes[0]!.files.set(endless, PASTED.universalAnalytics);
    await harness.install(given);
    harness.beforeAsking = operation => {
      if (operation === 'ThemeFiles') given.themes[0]!.files.set('snippets/late.liquid', '');
    };
    harness.fakeShopify.faults.plan(
      { kind: 'fileErrors', filenames: ['snippets/late.liquid'] },
      { operation: 'ThemeFiles' },
    );
    const { scan } = await scanned(given);
    expect(scan.coverage.theme.notRead.map(({ name, reason }) => [name, reason])).toEqual([
      ['snippets/late.liquid', 'failed'],
      [endless, 'failed'],
    ]);
  });

  it('reads the newly published theme when the previous theme is deleted during the read', async () => {
    const given = sampleShop('replaced');
    await harness.install(given);
    let once = true;
    harness.beforeAsking = operation => {
      if (operation !== 'ThemeFiles' || !once) return;
      once = false;
      given.themes = [{ id: gid('OnlineStoreTheme', 103), name: 'Sense', role: 'MAIN', files: sampleThemeFiles('') }];
    };
    const { scan } = await scanned(given);
    expect(scan.coverage.theme).toMatchObject({ state: 'read', theme: { id: '103', name: 'Sense' } });
  });

  it('skips a product whose path is too long to store', async () => {
    const given = cleanShop('long-handles');
    const [first, second] = given.products;
    first!.handle = 'カップ'.repeat(80);
    const { scan } = await scanned(given);
    expect(scan.coverage.pages[1]).toMatchObject({ path: `/products/${second!.handle}`, state: 'read' });
  });

  it('reports that the store has no published theme', async () => {
    const given = sampleShop('themeless');
    await harness.install(given);
    harness.beforeAsking = operation => {
      if (operation === 'MainTheme') given.themes = [];
    };
    const { scan } = await scanned(given);
    expect([scan.state, scan.reason, scan.coverage.theme.state]).toEqual(['partial', 'theme', 'absent']);
  });

  it('reads a large theme in pages and skips only its hostile files', async () => {
    const given = cleanShop('many');
    for (let i = 0; i < 130; i++) given.themes[0]!.files.set(`snippets/part-${i}.liquid`, `<p>${i}</p>`);
    given.themes[0]!.files.set('sections/hostile.liquid', '<script></script>'.repeat(110_000));
    given.themes[0]!.files.set('sections/huge.liquid', 'x'.repeat(2_000_001));
    const hard = createPool({
      workers: 1,
      timeoutMs: 5_000,
      memoryMb: 64,
      queue: 100,
    });
    await harness.install(given);
    await harness.scan(given.domain, { pool: hard });
    const scan = await newestScan(harness.store.shop(given.domain));
    await hard.close();
    expect(scan.coverage.theme).toMatchObject({
      ...{ state: 'partial', files: codeFiles(given), filesRead: codeFiles(given) - 2 },
      notRead: [
        { name: 'sections/hostile.liquid', reason: 'too_complex' },
        { name: 'sections/huge.liquid', reason: 'too_large' },
      ],
    });
  });
});

describe('storefront reads', () => {
  it('reads the theme even if the storefront can’t be reached', async () => {
    const given = sampleShop('dark');
    await harness.install(given);
    harness.fakeShopify.network.names.delete(given.host);
    const { scan } = await scanned(given);
    expect([scan.state, scan.reason, scan.score]).toEqual(['partial', 'unreachable', null]);
    expect(scan.coverage.pages.map(({ state, reason }) => [state, reason])).toEqual(
      Array.from({ length: 4 }, () => ['not_read', 'unreachable']),
    );
    expect(detailsOf(scan, 'ga_analytics_js_legacy')).toHaveLength(1);
  });

  it('marks a scan as failed if neither the storefront nor the theme can be read', async () => {
    const given = sampleShop('nothing');
    given.scopes.delete('read_themes');
    await harness.install(given);
    harness.fakeShopify.network.names.delete(given.host);
    const { scan } = await scanned(given);
    expect([scan.state, scan.reason, scan.findings, scan.covered]).toEqual(['failed', 'unreachable', [], []]);
  });

  it('keeps an unreachable page’s findings open', async () => {
    const given = sampleShop('flaky');
    const { scan: before } = await scanned(given);
    harness.fakeShopify.network.names.delete(given.host);
    const { scan } = await scanned(given);
    expect([scan.changes.fixed, scan.changes.new]).toEqual([[], []]);
    expect(scan.changes.unseen + scan.changes.same).toBe(new Set(before.findings.map(one => one.fingerprint)).size);
    // The last known inventory remains the baseline.
    expect(scan.inventory).toEqual(before.inventory);
  });

  it('considers a scan complete even if robots.txt excludes the cart page', async () => {
    const given = cleanShop('robots');
    await harness.install(given);
    const scanner = createScanner(
      async (url, options) => {
        const { ScanFailed } = await import('@compliance/crawler');
        if (url.endsWith('/cart')) throw new ScanFailed('robots');
        return await harness.fakeShopify.fetchCapture(url, options);
      },
      { contact: 'https://app.example/about', pool: harness.pool },
    );
    await harness.scan(given.domain, { scanner });
    const scan = await newestScan(harness.store.shop(given.domain));
    expect([scan.state, scan.score]).toEqual(['complete', 100]);
    expect(scan.coverage.pages.at(-1)).toMatchObject({ kind: 'cart', state: 'kept_out', reason: 'robots' });
    expect(scan.covered).not.toContain('page:/cart');
  });
});
