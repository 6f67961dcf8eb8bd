import { createScanner } from '@compliance/crawler';
import { createPool } from '@compliance/crawler/pool';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cleanShop, sampleShop } from '../../stand-in/shop/samples.ts';
import { gid, type StandInShop } from '../../stand-in/shop/shop.ts';
import { PASTED, themeFiles } from '../../stand-in/shop/theme.ts';
import { AdminFailed, type AdminFault } from '../admin/admin.ts';
import { codeFiles, createWorld, detailsOf, newestScan, type World } from './testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
beforeEach(() => {
  world.beforeAsking = () => undefined;
});
afterAll(() => world.close());

async function scanned(given: StandInShop) {
  const shop = world.store.shop(given.domain);
  if (!(await shop.record())) await world.install(given);
  const job = await world.scan(given.domain);
  return { shop, job, scan: await newestScan(shop) };
}

/** What Shopify answers to one operation from now on. */
const answers = (operation: string, fault: AdminFault) => {
  world.beforeAsking = asked => {
    if (asked === operation) throw new AdminFailed(fault, operation);
  };
};

describe('while Shopify has trouble', () => {
  it('is throttled, fails and is slow for a while: the scan is complete all the same', async () => {
    const given = sampleShop('trouble');
    await world.install(given);
    const { faults } = world.standIn;
    faults.plan({ kind: 'throttled' }, { operation: 'ThemeFiles', times: 2 });
    faults.plan({ kind: 'status', status: 503 }, { operation: 'ShopContext' });
    faults.plan({ kind: 'slow', ms: 300 }, { operation: 'ThemeChecksums' });
    faults.plan({ kind: 'broken' }, { operation: 'MainTheme' });
    const { scan, job } = await scanned(given);
    expect([scan.state, job.attempts]).toEqual(['complete', 1]);
    expect(
      world.standIn.calls.filter(({ shop, operation }) => shop === given.domain && operation === 'ThemeFiles'),
    ).toHaveLength(3);
  });

  it.each(['throttled', 'unavailable', 'unexpected', 'forbidden'] as const)(
    'is told why the theme was not read when Shopify stays %s',
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

  it('reads the storefront under the name that is known when the shop cannot be asked', async () => {
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

  it('loses its tokens in the middle: what was read is kept, and the merchant must open the app again', async () => {
    const given = sampleShop('lost');
    await world.install(given);
    world.beforeAsking = operation => {
      if (operation === 'ThemeFiles') world.standIn.tokens.revoke(given.domain);
    };
    const { scan, job, shop } = await scanned(given);
    expect([job.state, job.error]).toEqual(['failed', 'revoked']);
    expect([scan.state, scan.reason]).toEqual(['partial', 'revoked']);
    expect(scan.coverage.theme).toMatchObject({ state: 'not_read', fault: 'revoked' });
    expect(scan.coverage.pages.map(({ state }) => state)).toEqual(['read', 'read', 'read', 'read']);
    expect((await shop.record())?.needsReopeningAt).not.toBeNull();
  });

  it('is frozen: the scan ends and says so', async () => {
    answers('ShopContext', 'frozen');
    const { scan, job } = await scanned(sampleShop('frozen'));
    expect([job.state, job.error, scan.reason]).toEqual(['failed', 'frozen', 'frozen']);
  });
});

describe('a theme', () => {
  it('is read in Base64 and from addresses of its own as it is in text', async () => {
    const given = sampleShop('bodies');
    const { scan } = await scanned(given);
    for (const as of ['base64', 'url'] as const) {
      world.standIn.faults.plan({ kind: 'fileBodies', as }, { operation: 'ThemeFiles' });
      const { scan: again } = await scanned(given);
      expect(again.coverage.theme).toEqual(scan.coverage.theme);
      expect(again.findings).toEqual(scan.findings);
    }
  });

  it('says which of its files Shopify did not give, and takes nothing in them for fixed', async () => {
    const given = cleanShop('failed-file');
    const tracking = "<script>var _gaq = _gaq || []; _gaq.push(['_setAccount', 'UA-1-1']);</script>";
    given.themes[0]!.files.set('snippets/unused.liquid', tracking);
    const { scan: before } = await scanned(given);
    expect(detailsOf(before, 'ga_js_legacy')).toHaveLength(1);
    const filenames = ['snippets/unused.liquid'];
    world.standIn.faults.plan({ kind: 'fileErrors', filenames }, { operation: 'ThemeChecksums' });
    world.standIn.faults.plan({ kind: 'fileErrors', filenames }, { operation: 'ThemeFiles' });
    const { scan, shop } = await scanned(given);
    expect([scan.state, scan.reason]).toEqual(['partial', 'theme']);
    expect(scan.coverage.theme).toMatchObject({
      ...{ state: 'partial', files: codeFiles(given), filesRead: codeFiles(given) - 1 },
      notRead: [{ name: 'snippets/unused.liquid', reason: 'failed' }],
    });
    expect(scan.changes).toMatchObject({ fixed: [], unseen: 1 });
    expect((await shop.findings.counts()).open).toBe(1);
  });

  it('says so, too, of a file that came while it was read, and of one whose name nobody could keep', async () => {
    const given = cleanShop('late-file');
    const endless = `snippets/${'ü'.repeat(500)}.liquid`;
    given.themes[0]!.files.set(endless, PASTED.universalAnalytics);
    await world.install(given);
    world.beforeAsking = operation => {
      if (operation === 'ThemeFiles') given.themes[0]!.files.set('snippets/late.liquid', '');
    };
    world.standIn.faults.plan({ kind: 'fileErrors', filenames: ['snippets/late.liquid'] }, { operation: 'ThemeFiles' });
    const { scan } = await scanned(given);
    expect(scan.coverage.theme.notRead.map(({ name, reason }) => [name, reason])).toEqual([
      ['snippets/late.liquid', 'failed'],
      [endless, 'failed'],
    ]);
  });

  it('that is deleted while it is read gives way to the one that is published then', async () => {
    const given = sampleShop('replaced');
    await world.install(given);
    let once = true;
    world.beforeAsking = operation => {
      if (operation !== 'ThemeFiles' || !once) return;
      once = false;
      given.themes = [{ id: gid('OnlineStoreTheme', 103), name: 'Sense', role: 'MAIN', files: themeFiles('') }];
    };
    const { scan } = await scanned(given);
    expect(scan.coverage.theme).toMatchObject({ state: 'read', theme: { id: '103', name: 'Sense' } });
  });

  it('is not asked for a product whose path nobody could keep', async () => {
    const given = cleanShop('long-handles');
    const [first, second] = given.products;
    first!.handle = 'カップ'.repeat(80);
    const { scan } = await scanned(given);
    expect(scan.coverage.pages[1]).toMatchObject({ path: `/products/${second!.handle}`, state: 'read' });
  });

  it('may not be there at all', async () => {
    const given = sampleShop('themeless');
    await world.install(given);
    world.beforeAsking = operation => {
      if (operation === 'MainTheme') given.themes = [];
    };
    const { scan } = await scanned(given);
    expect([scan.state, scan.reason, scan.coverage.theme.state]).toEqual(['partial', 'theme', 'absent']);
  });

  it('with many files is read a page at a time, and a hostile file costs itself alone', async () => {
    const given = cleanShop('many');
    for (let i = 0; i < 130; i++) given.themes[0]!.files.set(`snippets/part-${i}.liquid`, `<p>${i}</p>`);
    given.themes[0]!.files.set('sections/hostile.liquid', '<script></script>'.repeat(110_000));
    given.themes[0]!.files.set('sections/huge.liquid', 'x'.repeat(2_000_001));
    const hard = createPool({ workers: 1, timeoutMs: 5_000, memoryMb: 64, queue: 100 });
    await world.install(given);
    await world.scan(given.domain, { pool: hard });
    const scan = await newestScan(world.store.shop(given.domain));
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

describe('a storefront', () => {
  it('that cannot be reached is said to be, and the theme is read all the same', async () => {
    const given = sampleShop('dark');
    await world.install(given);
    world.standIn.network.names.delete(given.host);
    const { scan } = await scanned(given);
    expect([scan.state, scan.reason, scan.score]).toEqual(['partial', 'unreachable', null]);
    expect(scan.coverage.pages.map(({ state, reason }) => [state, reason])).toEqual(
      Array.from({ length: 4 }, () => ['not_read', 'unreachable']),
    );
    expect(detailsOf(scan, 'ga_analytics_js_legacy')).toHaveLength(1);
  });

  it('that cannot be reached, with a theme that cannot be read, is a scan that failed', async () => {
    const given = sampleShop('nothing');
    given.scopes.delete('read_themes');
    await world.install(given);
    world.standIn.network.names.delete(given.host);
    const { scan } = await scanned(given);
    expect([scan.state, scan.reason, scan.findings, scan.covered]).toEqual(['failed', 'unreachable', [], []]);
  });

  it('keeps its open findings while a page is out of reach', async () => {
    const given = sampleShop('flaky');
    const { scan: before } = await scanned(given);
    world.standIn.network.names.delete(given.host);
    const { scan } = await scanned(given);
    expect([scan.changes.fixed, scan.changes.new]).toEqual([[], []]);
    expect(scan.changes.unseen + scan.changes.same).toBe(new Set(before.findings.map(one => one.fingerprint)).size);
    // What is known of the pages is still the baseline.
    expect(scan.inventory).toEqual(before.inventory);
  });

  it('whose robots.txt keeps visitors out of the cart has no gap', async () => {
    const given = cleanShop('robots');
    await world.install(given);
    const scanner = createScanner(
      async (url, options) => {
        const { ScanFailed } = await import('@compliance/crawler');
        if (url.endsWith('/cart')) throw new ScanFailed('robots');
        return await world.standIn.fetchCapture(url, options);
      },
      { contact: 'https://app.example/about', pool: world.pool },
    );
    await world.scan(given.domain, { scanner });
    const scan = await newestScan(world.store.shop(given.domain));
    expect([scan.state, scan.score]).toEqual(['complete', 100]);
    expect(scan.coverage.pages.at(-1)).toMatchObject({ kind: 'cart', state: 'kept_out', reason: 'robots' });
    expect(scan.covered).not.toContain('page:/cart');
  });
});
