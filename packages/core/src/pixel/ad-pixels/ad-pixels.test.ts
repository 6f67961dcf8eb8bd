import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scan } from '../scan/scan.ts';
import { captureOf } from '../testing/capture-of.ts';
import { containerSource, containerUrl } from '../testing/container-source.ts';
import { findingsOf, TODAY } from '../testing/fixtures.ts';
import { type AdPixel, defineAdPixel } from './ad-pixel.ts';
import { AD_PIXELS } from './ad-pixels.ts';

const WORKING = readFileSync(join(import.meta.dirname, '../scan/browser/fixtures/ad-pixels-working.html'), 'utf8');
const UET = `(function(w,d,u,n){w[n]=w[n]||[];var s=d.createElement('script');s.src=u;s.async=true;s.onload=function(){
  var o={ti:'187123450'};o.q=w[n];w[n]=new UET(o);w[n].push('pageLoad')};d.head.appendChild(s)
})(window,document,'//bat.bing.com/bat.js','uetq');`;
const KLAVIYO = '<script async src="https://static.klaviyo.com/onsite/js/klaviyo.js?company_id=QzXyPw"></script>';

const script = (code: string): string => `<script>${code}</script>`;
/** Returns a page with every vendor's base code, installed as documented, plus additional code. */
const installed = (code: string): string => `${WORKING}${script(UET)}${KLAVIYO}${script(code)}`;
const adFindings = (html: string): string[] =>
  findingsOf(html)
    .filter(({ rule_id }) => rule_id.startsWith('ad_pixel_'))
    .map(({ rule_id, ids }) => [rule_id, ...ids].join(' '));

describe('an ad pixel scan', () => {
  it('reports no findings for base codes and events that follow the vendor documentation', () => {
    const events = `ttq.track('Purchase');pintrk('track','checkout');snaptr('track','PURCHASE');rdt('track','Purchase');
      uetq.push('event','purchase',{revenue_value:10});klaviyo.track('Viewed Product');lintrk('track',{conversion_id:1234321})`;
    expect(adFindings(installed(events))).toEqual([]);
  });

  it.each([
    ["ttq.track('AddToCrat')", 'ad_pixel_misspelled_event AddToCrat'],
    ["ttq.track('addToCart')", 'ad_pixel_misspelled_event addToCart'],
    ["pintrk('track','chekout')", 'ad_pixel_misspelled_event chekout'],
    ["snaptr('track','VIEW_CONTNET')", 'ad_pixel_misspelled_event VIEW_CONTNET'],
    ["rdt('track','Purchsae')", 'ad_pixel_misspelled_event Purchsae'],
    ["_learnq.push(['track','Started Chekout'])", 'ad_pixel_misspelled_event Started Chekout'],
    ["twq('event','PageView')", 'ad_pixel_malformed_id PageView'],
    ["lintrk('track',{conversion_id:'CONVERSION_ID'})", 'ad_pixel_malformed_id CONVERSION_ID'],
    ["ttq.load('XXXXXXXXXXXXXXXXXXXX')", 'ad_pixel_malformed_id XXXXXXXXXXXXXXXXXXXX'],
    ["pintrk('load','YOUR_TAG_ID')", 'ad_pixel_malformed_id YOUR_TAG_ID'],
    [
      "snaptr('init','12345678-1234-1234-1234-123456789012')",
      'ad_pixel_malformed_id 12345678-1234-1234-1234-123456789012',
    ],
    ["new UET({ti:'UET_TAG_ID'})", 'ad_pixel_malformed_id UET_TAG_ID'],
    ["twq('config','GTM-ABC1234')", 'ad_pixel_malformed_id GTM-ABC1234'],
    ["rdt('init','f93yh1owa3ux')", 'ad_pixel_malformed_id f93yh1owa3ux'],
    ["_linkedin_partner_id='PARTNER_ID'", 'ad_pixel_malformed_id PARTNER_ID'],
    ["ttq.load('C4A1B2C3D4E5F6G7H8J0');ttq.page()", 'ad_pixel_duplicate C4A1B2C3D4E5F6G7H8J0'],
    ["pintrk('load','2612345098765');pintrk('page')", 'ad_pixel_duplicate 2612345098765'],
    [
      "snaptr('init','4d24efb0-f252-4535-a1d2-d10563407480')",
      'ad_pixel_duplicate 4d24efb0-f252-4535-a1d2-d10563407480',
    ],
    ["rdt('init','a2_f93yh1owa3ux')", 'ad_pixel_duplicate a2_f93yh1owa3ux'],
    ["twq('config','o8z6j')", 'ad_pixel_duplicate o8z6j'],
    ["new UET({ti:'187123450'})", 'ad_pixel_duplicate 187123450'],
    ["_linkedin_data_partner_ids.push('3214701')", 'ad_pixel_duplicate 3214701'],
  ])('reports exactly one ad pixel problem for: %s', (code, finding) => {
    expect(adFindings(installed(code))).toEqual([finding]);
  });

  it.each([
    ["ttq.track('Purchase')", 'TikTok'],
    ["pintrk('track','checkout')", 'Pinterest'],
    ["snaptr('track','PURCHASE')", 'Snapchat'],
    ["rdt('track','Purchase')", 'Reddit'],
    ["twq('event','tw-o8z6j-o87ne')", 'X'],
    ["lintrk('track',{conversion_id:7654321})", 'LinkedIn'],
    ["window.uetq=window.uetq||[];window.uetq.push('event','purchase')", 'Microsoft'],
    ["var _learnq=window._learnq||[];_learnq.push(['track','Viewed Product'])", 'Klaviyo'],
  ])('reports that an event is lost if the vendor’s base code is missing: %s', (code, company) => {
    expect(findingsOf(script(code), 'ad_pixel_missing_base_code')).toMatchObject([
      {
        severity: 'warn',
        confidence: 'certain',
        message: expect.stringContaining(` to ${company} but never initializes`),
      },
    ]);
  });

  it('lowers the severity of a missing base code to `info` if an unread script might contain it', () => {
    const html = (src: string) => `<script src="${src}"></script>${script("rdt('track','Purchase')")}`;
    const scripts = [{ url: 'https://shop.example/app.js', status: 200, body: 'var cart = {};' }];
    const findings = scan(captureOf(html('/app.js'), { scripts }), TODAY).findings;
    expect(findingsOf(html('/app.js'), 'ad_pixel_missing_base_code')).toMatchObject([
      { severity: 'info', confidence: 'possible' },
    ]);
    expect(findings.filter(f => f.rule_id === 'ad_pixel_missing_base_code')).toMatchObject([{ severity: 'warn' }]);
  });

  it('lowers the severity of a missing base code to `info` if code adds an unread script to the page', () => {
    const code =
      "var s=document.createElement('script');s.src='https://loader.example/tags.js';document.head.append(s)";
    expect(findingsOf(script(`${code};rdt('track','Purchase')`), 'ad_pixel_missing_base_code')).toMatchObject([
      { severity: 'info', confidence: 'possible' },
    ]);
  });

  it('recognizes an event regardless of the syntax of the call', () => {
    const forms = [
      "rdt('track','Lead')",
      "rdt.track('Lead')",
      "rdt.push('track','Lead')",
      "rdt.push(['track','Lead'])",
    ];
    for (const form of forms) {
      const { tags } = scan(captureOf(script(`rdt('init','a2_f93yh1owa3ux');${form}`)), TODAY).inventory;
      expect(tags, form).toMatchObject([{ vendor: 'reddit', id: 'a2_f93yh1owa3ux', events: ['Lead'] }]);
    }
  });

  it('reports problems in a container’s custom HTML tag', () => {
    const html = `${script(
      "(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':1});var j=d.createElement(s);j.src='https://www.googletagmanager.com/gtm.js?id='+i;d.head.appendChild(j)})(window,document,'script','dataLayer','GTM-ABC1234')",
    )}`;
    const tag = `<script>!function(w){if(w.rdt)return;w.rdt=function(){};var s=document.createElement('script');s.src='https://www.redditstatic.com/ads/pixel.js';document.head.appendChild(s)}(window);rdt('init','YOUR_PIXEL_ID');rdt('track','Purchsae')</script>`;
    const body = containerSource({ tags: [{ function: '__html', vtp_html: tag, tag_id: 3 }] });
    const scripts = [{ url: containerUrl('GTM-ABC1234'), status: 200, body }];
    const { findings } = scan(captureOf(html, { scripts }), TODAY);
    expect(findings.filter(f => f.rule_id.startsWith('ad_pixel_'))).toMatchObject([
      { rule_id: 'ad_pixel_malformed_id', owner: 'gtm', ids: ['YOUR_PIXEL_ID'] },
      { rule_id: 'ad_pixel_misspelled_event', owner: 'gtm', ids: ['Purchsae'] },
    ]);
  });

  it('never reports a standard or reserved event as misspelled', () => {
    for (const { events, globals } of AD_PIXELS) {
      if (events?.kind !== 'names') continue;
      const calls = [...events.names, ...(events.reserved ?? [])]
        .map(name => `${globals[0]}.push(['track',${JSON.stringify(name)}])`)
        .join(';');
      expect(findingsOf(script(calls), 'ad_pixel_misspelled_event')).toEqual([]);
    }
  });

  it('never reports an ID in the documented format as malformed', () => {
    const init: Readonly<Record<string, (id: string) => string>> = {
      pinterest: id => `pintrk('load','${id}')`,
      snapchat: id => `snaptr('init','${id}')`,
      microsoft: id => `new UET({ti:'${id}'})`,
      x: id => `twq('config','${id}')`,
      reddit: id => `rdt('init','${id}')`,
      linkedin: id => `_linkedin_partner_id='${id}'`,
    };
    const ids = {
      pinterest: fc.stringMatching(/^26[1-9]\d{10}$/),
      snapchat: fc.uuid({ version: 4 }),
      microsoft: fc.stringMatching(/^[1-9]\d{6,9}$/),
      x: fc.stringMatching(/^[np-r][0-9a-w]{4}$/),
      reddit: fc.stringMatching(/^[at]2_[0-9a-w]{8,14}$/),
      linkedin: fc.stringMatching(/^[2-9]\d{4,7}$/),
    };
    for (const [vendor, id] of Object.entries(ids))
      fc.assert(
        fc.property(id, value => {
          expect(findingsOf(script(init[vendor]!(value)), 'ad_pixel_malformed_id')).toEqual([]);
        }),
        { numRuns: 40 },
      );
  });

  it('rejects a pixel definition if one of its facts has no source', () => {
    const [pixel] = AD_PIXELS as readonly [AdPixel];
    const without = (id: object) => ({ ...pixel, sources: { ...pixel.sources, id } }) as AdPixel;
    expect(() => defineAdPixel(without({ url: '', checked: '2026-11-22' }))).toThrow('valid source for its id');
    expect(() => defineAdPixel(without({ url: 'https://example.com/ids', checked: 'today' }))).toThrow('valid source');
  });
});
