import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drift } from '../drift/drift.ts';
import { captureOf } from '../testing/capture-of.ts';
import { findingsOf, TODAY } from '../testing/fixtures.ts';
import { redact } from './redact.ts';
import { scan } from './scan.ts';

const SNIPPET =
  "(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});var f=d.getElementsByTagName(s)[0],j=d.createElement(s),dl=l!='dataLayer'?'&l='+l:'';j.async=true;j.src='https://www.googletagmanager.com/gtm.js?id='+i+dl;f.parentNode.insertBefore(j,f)})(window,document,'script','dataLayer','GTM-ABC1234')";

/** JavaScript statements whose relative order on a page affects the findings. */
const STATEMENTS = [
  SNIPPET,
  "fbq('init','157204581336210')",
  "fbq('track','PageView')",
  "fbq('track','addToCart',{value:1})",
  "gtag('config','UA-132894000-1')",
  "gtag('consent','default',{ad_storage:'denied',analytics_storage:'denied'})",
  "_gaq.push(['_setAccount','UA-21673000-1'])",
  "dataLayer=[{page:'x'}]",
];
const statements = fc.array(fc.constantFrom(...STATEMENTS), { maxLength: 6 });
const ids = (html: string) => [...new Set(findingsOf(html).map(f => f.rule_id))].sort();

describe('scan', () => {
  it('returns identical results for two scans of the same page', () => {
    fc.assert(
      fc.property(statements, list => {
        const html = `<body>${list.map(p => `<script>${p}</script>`).join('')}</body>`;
        expect(JSON.stringify(scan(captureOf(html), TODAY))).toBe(JSON.stringify(scan(captureOf(html), TODAY)));
      }),
      { numRuns: 60 },
    );
  });

  it('returns the same findings for the same code, regardless of whitespace and script boundaries', () => {
    fc.assert(
      fc.property(statements, list => {
        const wide = list.map(p => `<script  async   data-x="1">\n\n   ${p} ;\n\n</script>\n`).join('\n');
        const tight = list.map(p => `<script data-x=1 async>${p}</script>`).join('');
        const joined = `<script>${list.join(';')}</script>`;
        expect(ids(`<body>\n${wide}</body>`)).toEqual(ids(`<body>${tight}</body>`));
        expect(ids(`<body>${joined}</body>`)).toEqual(ids(`<body>${tight}</body>`));
      }),
      { numRuns: 60 },
    );
  });

  it('returns the same findings for minified code', () => {
    const plain = `<script>
      var pixelId = '157204581336210';
      window.fbq('init', pixelId);
      if (window.shop) { fbq('track', 'Purchase', { value: 1 }); }
    </script>`;
    const minified =
      '<script>var p="1572"+"04581336210";self["fbq"]("init",p),window.shop&&fbq("track","Purchase",{value:1});</script>';
    expect(ids(minified)).toEqual(ids(plain));
    expect(ids(plain)).toContain('meta_pixel_missing_pageview');
  });

  it('rejects an invalid date', () => {
    expect(() => scan(captureOf(''), { asOf: 'today' })).toThrow(RangeError);
  });

  it("doesn't return a score if the response isn't a page", () => {
    expect(scan(captureOf('<p>no</p>', { status: 403 }), TODAY)).toMatchObject({
      score: null,
      not_scored: 'status 403',
      score_breakdown: [],
    });
    expect(scan(captureOf('{}', { headers: { 'content-type': 'application/json' } }), TODAY)).toMatchObject({
      score: null,
      not_scored: 'not HTML',
    });
    expect(scan(captureOf('<p>ok</p>', { truncated: true }), TODAY)).toMatchObject({
      score: 99,
      scanned: { truncated: true },
    });
  });

  it('reads external scripts in the order in which they run', () => {
    const script = {
      url: 'https://shop.example/assets/app.js',
      status: 200,
      body: "fbq('init','157204581336210'); fbq('track','PageView')",
    };
    const html = '<script src="/assets/app.js"></script><script>fbq("init","157204581336210")</script>';
    const { findings } = scan(captureOf(html, { scripts: [script] }), TODAY);
    expect(findings.find(f => f.rule_id === 'meta_pixel_duplicate_init')).toMatchObject({ ids: ['157204581336210'] });
  });

  it("reports that a script wasn't fetched", () => {
    const { findings, inventory } = scan(
      captureOf('<p>x</p>', { scripts: [{ url: 'https://a.example/x.js', status: 404, body: '' }] }),
      TODAY,
    );
    expect(findings.map(f => f.rule_id)).toContain('scan_fetch_partial');
    expect(inventory.complete).toBe(false);
  });

  it('reports a finding’s line and column but omits personal data', () => {
    const html = "<p>\n</p>\n<script>\n  fbq('init', '283850000000001', { em: 'ana@example.com' });\n</script>";
    const [finding] = findingsOf(html, 'meta_pixel_raw_pii');
    expect(finding?.where).toMatchObject({ line: 4, column: 3, source: 'inline#1' });
    expect(JSON.stringify(scan(captureOf(html), TODAY))).not.toContain('ana@example.com');
  });

  it('distinguishes between Liquid storefronts, headless storefronts, and other pages', () => {
    const shop =
      '<script>Shopify = {}; Shopify.shop = \'demo.myshopify.com\'; Shopify.theme = {"name":"Dawn","id":1,"role":"main"}</script>';
    expect(scan(captureOf(shop), TODAY).shopify).toEqual({
      detected: true,
      kind: 'liquid',
      theme: { id: '1', name: 'Dawn', role: 'main' },
    });
    expect(
      scan(captureOf('<p>x</p>', { headers: { 'powered-by': 'Shopify, Hydrogen' } }), TODAY).shopify,
    ).toMatchObject({ kind: 'headless' });
    expect(scan(captureOf('<img src="https://cdn.shopify.com/s/files/1/x.png">'), TODAY).shopify.detected).toBe(false);
  });

  it('raises the severity of a missing consent default for shops that serve the European Economic Area', () => {
    const html = "<script>gtag('config','G-AAAA000001')</script>";
    expect(findingsOf(html, 'google_consent_default_missing', { asOf: '2026-11-21', profile: 'eea' })).toMatchObject([
      { severity: 'warn' },
    ]);
  });

  it('raises the severity of a finding on the escalation date', () => {
    const html =
      '<script>function asyncLoad(){var urls=["https://a.example/x.js?shop=demo.myshopify.com"];}asyncLoad()</script>';
    expect(findingsOf(html, 'shopify_script_tag_injected', { asOf: '2027-02-28' })).toMatchObject([
      { severity: 'warn', escalates_on: '2027-03-01' },
    ]);
    expect(findingsOf(html, 'shopify_script_tag_injected', { asOf: '2027-03-01' })).toMatchObject([
      { severity: 'error', escalates_on: null },
    ]);
  });

  it('lists the third-party companies that the page contacts', () => {
    const { inventory } = scan(captureOf('<script src="https://js.stripe.com/v3/"></script>'), TODAY);
    expect(inventory.third_parties).toMatchObject([{ company: 'Stripe', host: 'js.stripe.com' }]);
  });
});

describe('drift', () => {
  it('returns the drift status `none` for two scans of the same page', () => {
    fc.assert(
      fc.property(statements, list => {
        const html = `<body>${list.map(p => `<script>${p}</script>`).join('')}</body>`;
        const { inventory } = scan(captureOf(html), TODAY);
        expect(drift(inventory, JSON.parse(JSON.stringify(inventory)))).toEqual({
          drift_status: 'none',
          findings: [],
          not_compared: null,
        });
      }),
      { numRuns: 40 },
    );
  });

  it('reports a removed tag only if the scan read the whole page, and states in the finding that the theme changed', () => {
    const page = (theme: number, tag: string) =>
      `<script>Shopify.theme = {"name":"x","id":${theme},"role":"main"};${tag}</script>`;
    const before = scan(captureOf(page(1, "fbq('init','157204581336210')")), { asOf: '2026-10-01' }).inventory;
    const partly = scan(captureOf(page(2, ''), { truncated: true }), TODAY).inventory;
    const whole = scan(captureOf(page(2, '')), TODAY).inventory;
    expect(drift(before, partly).findings).toEqual([]);
    expect(drift(before, whole).findings).toMatchObject([
      { rule_id: 'drift_tag_removed', context: 'the theme changed from 1 to 2' },
    ]);
    expect(drift(before, whole).findings[0]?.message).toContain('2026-10-01 → 2026-11-21');
    expect(drift(before, { ...whole, page_type: 'product' })).toMatchObject({ not_compared: 'different page type' });
  });
});

describe('redaction', () => {
  it('keeps the first six characters of a token and masks personal data', () => {
    expect(redact(`x EAAB${'0'.repeat(60)} y`)).toBe('x EAAB00… y');
    expect(redact('ana.b+c@shop.example.com, +49 30 1234567, (555) 123-4567')).toBe('[email], [phone], [phone]');
    expect(redact('?api_secret=abCdEf0123456789')).toBe('?api_secret=abCdEf…');
  });
});
