import { describe, expect, it } from 'vitest';
import { drift } from '../drift/drift.ts';
import type { Capture } from '../model/capture.ts';
import { type ScanResult, scan } from '../scan/scan.ts';
import { captureOf } from '../testing/capture-of.ts';
import { type ContainerContents, containerSource, containerUrl } from '../testing/container-source.ts';
import { TODAY } from '../testing/fixtures.ts';

const ID = 'GTM-ABC1234';
const LOADER = `<script async src="${containerUrl(ID)}"></script>`;
const META = { function: '__html', vtp_html: `<script type="text/gtmscript">fbq('init','123456789012345')</script>` };
const EVENT = { function: '__e' };
const PATH = { function: '__u', vtp_component: 'PATH' };
const event = (name: string) => ({ function: '_eq', arg0: ['macro', 0], arg1: name });
const onPath = (path: string) => ({ function: '_sw', arg0: ['macro', 1], arg1: path });
const CART = 'https://shop.example/cart';

const body = (contents: ContainerContents | string): Pick<Capture, 'scripts'> => ({
  scripts: [
    { url: containerUrl(ID), status: 200, body: typeof contents === 'string' ? contents : containerSource(contents) },
  ],
});
const scanWith = (contents: ContainerContents | string, html = LOADER, more: Partial<Capture> = {}): ScanResult =>
  scan(captureOf(html, { ...body(contents), ...more }), TODAY);
const tagsOf = ({ inventory }: ScanResult) =>
  inventory.tags.filter(t => t.channel === 'gtm').map(({ kind, id, state }) => [kind, id, state]);
const rulesOf = ({ findings }: ScanResult) => findings.map(f => f.rule_id);

describe('container tags', () => {
  it('lists a container tag and its events in the inventory under the channel `gtm`', () => {
    const tags = [
      { function: '__googtag', vtp_tagId: 'G-ABCDEFGH12' },
      { function: '__gaawe', vtp_eventName: 'purchase', vtp_measurementIdOverride: 'G-ABCDEFGH12' },
      { function: '__awct', vtp_conversionId: '123456789', vtp_conversionLabel: 'x' },
      { function: '__bzi', vtp_id: '7654321' },
    ];
    const { inventory } = scanWith({ tags });
    expect(inventory.containers_read).toEqual([ID]);
    expect(inventory.tags.filter(t => t.channel === 'gtm')).toMatchObject([
      { vendor: 'google', kind: 'ga4', id: 'G-ABCDEFGH12', events: ['purchase'] },
      { vendor: 'google', kind: 'google_ads', id: 'AW-123456789', events: ['conversion'] },
      { vendor: 'linkedin', kind: 'linkedin_pixel', id: '7654321', events: [] },
    ]);
  });

  it('names the container, tag number, and tag type in a finding’s location', () => {
    const [finding] = scanWith({ tags: [EVENT, { function: '__googtag', vtp_tagId: 'G-XXXXXXXXXX' }] }).findings;
    expect(finding).toMatchObject({
      rule_id: 'google_placeholder_id',
      owner: 'gtm',
      snippet: 'trigger: page view',
      where: { source: 'container GTM-ABC1234, tag 2 (Google tag)', url: containerUrl(ID) },
    });
  });

  it('runs custom HTML tags in the same window as the page’s own scripts', () => {
    const html = `${LOADER}<script>var q = window.fbq;</script>`;
    const tags = [{ function: '__html', vtp_html: `<script>q('init', '12345678901234' + '5')</script>` }];
    expect(tagsOf(scanWith({ tags }, html))).toEqual([['meta_pixel', '123456789012345', 'run']]);
  });

  it('recognizes a custom HTML tag by the URL of the script or image that it loads', () => {
    const vtp_html =
      '<script type="text/gtmscript" data-gtmsrc="https://analytics.tiktok.com/i18n/pixel/events.js?sdkid=C4ABCD"></script>' +
      '<img src="https://www.facebook.com/tr?id=123456789012345&ev=PageView">' +
      '<noscript><img src="https://www.facebook.com/tr?id=123456789012346&ev=PageView"></noscript>';
    const result = scanWith({ tags: [{ function: '__html', vtp_html }] });
    expect(result.inventory.tags.map(t => t.id)).not.toContain('123456789012346');
    expect(tagsOf(result)).toEqual([
      ['meta_pixel', '123456789012345', 'run'],
      ['tiktok_pixel', 'C4ABCD', 'run'],
    ]);
  });

  it('doesn’t report a placeholder as a tag’s ID if the ID is known only at runtime', () => {
    const macros = [EVENT, { function: '__v', vtp_name: 'pixel' }];
    const vtp_html = ['template', `<script>fbq('init','`, ['escape', ['macro', 1], 7], `')</script>`];
    const vtp_url = ['template', 'https://www.facebook.com/tr?ev=PageView&id=', ['escape', ['macro', 1], 12]];
    const tags = [
      { function: '__html', vtp_html },
      { function: '__googtag', vtp_tagId: ['macro', 1] },
      { function: '__img', vtp_url },
    ];
    const result = scanWith({ macros, tags });
    expect(tagsOf(result)).toEqual([
      ['google_tag', null, 'run'],
      ['meta_pixel', null, 'run'],
    ]);
    expect(rulesOf(result)).not.toContain('meta_pixel_invalid_id');
  });

  it.each<[string, ContainerContents, string, string[]]>([
    ['runs a tag on a page view', {}, CART, ['run']],
    ['never runs a paused tag', { tags: [{ function: '__paused', vtp_originalTagType: 'html' }] }, CART, []],
    ['never runs a tag without a trigger', { rules: [] }, CART, []],
    ['runs a tag later on a custom event', { predicates: [event('add_to_cart')] }, CART, ['later']],
    [
      'makes a tag wait for the consent that it requires',
      { tags: [{ ...META, consent: ['list', 'ad_storage'] }] },
      CART,
      ['gated'],
    ],
    [
      'runs a tag on a page that meets the URL condition',
      { predicates: [event('gtm.js'), onPath('/cart')] },
      CART,
      ['run'],
    ],
    [
      'never runs a tag on a page that doesn’t meet the URL condition',
      { predicates: [event('gtm.js'), onPath('/blogs')] },
      CART,
      [],
    ],
  ])('%s', (_name, contents, url, states) => {
    const rules = [
      [
        ['if', ...(contents.predicates ?? [0]).keys()],
        ['add', 0],
      ],
    ];
    const result = scanWith({ macros: [EVENT, PATH], tags: [META], rules, ...contents }, LOADER, { finalUrl: url });
    expect(tagsOf(result).map(([, , state]) => state)).toEqual(states);
  });

  it('omits a tag from the inventory if an exception excludes the page', () => {
    const contents = (path: string): ContainerContents => ({
      macros: [EVENT, PATH],
      tags: [META],
      predicates: [event('gtm.js'), onPath(path)],
      rules: [
        [
          ['if', 0],
          ['add', 0],
        ],
        [
          ['if', 0, 1],
          ['block', 0],
        ],
      ],
    });
    const at = { finalUrl: CART };
    expect(tagsOf(scanWith(contents('/cart'), LOADER, at))).toEqual([]);
    expect(tagsOf(scanWith(contents('/blogs'), LOADER, at))).toHaveLength(1);
  });

  it('runs a setup tag if the tag that references it runs', () => {
    const tags = [META, { function: '__html', vtp_html: '', setup_tags: ['list', ['tag', 0, 0]] }];
    const rules = [
      [
        ['if', 0],
        ['add', 1],
      ],
    ];
    expect(tagsOf(scanWith({ tags, rules }))).toEqual([['meta_pixel', '123456789012345', 'run']]);
  });

  it('marks a tag as waiting for consent if the page loads the container only after consent', () => {
    const html = LOADER.replace('<script', '<script type="text/plain" data-category="marketing"');
    expect(tagsOf(scanWith({ tags: [META] }, html))).toEqual([['meta_pixel', '123456789012345', 'gated']]);
  });

  it('counts two tags with the same template and ID as one pixel initialization', () => {
    const tag = (name: string) => ({
      function: '__cvt_1_2',
      vtp_pixelId: '123456789012345',
      vtp_eventName: 'standard',
      vtp_standardEventName: name,
    });
    const permissions = { __cvt_1_2: { inject_script: { urls: ['https://connect.facebook.net/en_US/fbevents.js'] } } };
    const result = scanWith({ tags: [tag('PageView'), tag('Lead')], permissions });
    expect(result.inventory.tags.find(t => t.channel === 'gtm')?.events).toEqual(['Lead', 'PageView']);
    expect(rulesOf(result)).not.toContain('meta_pixel_duplicate_init');
  });

  it('runs a tag after a consent default that the container sets in an earlier stage', () => {
    const signals =
      "{ad_storage:'denied',analytics_storage:'denied',ad_user_data:'denied',ad_personalization:'denied'}";
    const tags = [
      { function: '__googtag', vtp_tagId: 'G-ABCDEFGH12' },
      { function: '__html', vtp_html: `<script>gtag('consent','default',${signals})</script>` },
    ];
    const contents = (tag: number, consent: number): ContainerContents => ({
      tags,
      predicates: [event('gtm.init_consent'), event('gtm.js')],
      rules: [
        [
          ['if', tag],
          ['add', 0],
        ],
        [
          ['if', consent],
          ['add', 1],
        ],
      ],
    });
    expect(rulesOf(scanWith(contents(1, 0)))).not.toContain('google_consent_default_late');
    expect(rulesOf(scanWith(contents(0, 1)))).toContain('google_consent_default_late');
    expect(rulesOf(scanWith(contents(1, 0)))).not.toContain('google_consent_default_missing');
  });
});

describe('unread container finding', () => {
  const unseen = ({ findings }: ScanResult) => findings.find(f => f.rule_id === 'gtm_contents_unseen')?.message;

  it('names only containers whose contents weren’t read', () => {
    expect(unseen(scanWith({ tags: [META] }))).toBeUndefined();
    expect(unseen(scan(captureOf(LOADER), TODAY))).toContain(`container ${ID}`);
    expect(unseen(scanWith({ tags: [META] }, `${LOADER}${LOADER.replace(ID, 'GTM-OTHER99')}`))).toContain(
      'GTM-OTHER99',
    );
  });

  it('gives the reason if a container was fetched but can’t be read', () => {
    expect(unseen(scanWith('404'))).toContain('(unreadable container: the file has no container configuration)');
    expect(unseen(scanWith(containerSource({ tags: [META] }).slice(0, 90)))).toContain('is incomplete');
  });

  it('doesn’t report a container whose ID the page computes at runtime if the container was captured', () => {
    const html = `<script>(function(w,l,i){w[l].push({'gtm.start':1});var j=document.createElement('script');j.src='https://www.googletagmanager.com/gtm.js?id='+i})(window,'dataLayer',settings.id)</script>`;
    expect(unseen(scanWith({ tags: [META] }, html))).toBeUndefined();
    expect(unseen(scan(captureOf(html), TODAY))).toContain('with an unknown ID');
  });
});

describe('captured containers', () => {
  it('keeps the inventory unchanged if a captured container can’t be read', () => {
    const without = scan(captureOf(LOADER), TODAY);
    for (const source of [
      '',
      'var data = {"resource":',
      `var data = {"resource":${'['.repeat(100_000)}`,
      'var data = 1',
    ])
      expect(scanWith(source).inventory).toEqual(without.inventory);
  });

  it('recognizes a container on the shop’s own host and doesn’t analyze its library as a page script', () => {
    const url = 'https://load.shop.example/abc.js?id=GTM-ABC1234';
    const source = containerSource({ tags: [META] }).replace('var library;', `fbq('init','999999999999999');`);
    const result = scan(
      captureOf(`<script src="${url}"></script>`, { scripts: [{ url, status: 200, body: source }] }),
      TODAY,
    );
    expect(result.inventory.tags.map(t => t.id)).toEqual(['GTM-ABC1234', '123456789012345']);
  });

  it('reports no drift if only one of the two scans read the container', () => {
    const read = scanWith({ tags: [META] }).inventory;
    const unread = scan(captureOf(LOADER), TODAY).inventory;
    const { containers_read: _, ...earlier } = unread;
    expect(drift(unread, read).findings).toEqual([]);
    expect(drift(earlier, read).findings).toEqual([]);
    expect(drift(read, unread).findings).toEqual([]);
    const changed = scanWith({ tags: [] }).inventory;
    expect(drift(read, changed).findings).toMatchObject([{ rule_id: 'drift_tag_removed', ids: ['123456789012345'] }]);
  });

  it('reports no drift if a tag moves from the theme into the container', () => {
    const theme = scan(captureOf(`${LOADER}<script>fbq('init','123456789012345')</script>`), TODAY).inventory;
    expect(drift(theme, scanWith({ tags: [META] }).inventory).findings).toEqual([]);
  });
});
