import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import type { Capture } from '../model/capture.ts';
import { joinRendering } from '../rendered/join.ts';
import { renderedPage, type Sent } from '../rendered/testing/rendered-page.ts';
import { pageRules } from '../rules/rules.gen.ts';
import { scan } from '../scan/scan.ts';
import { combinePages } from '../site/combine-pages.ts';
import { htmlReport } from './html-report.ts';
import { html } from './markup.ts';
import { sarif } from './sarif.ts';
import { siteHtmlReport } from './site-html-report.ts';

const AS_OF = '2026-11-21';
const capture = (markup: string, url = 'https://shop.example/'): Capture => ({
  url,
  finalUrl: url,
  status: 200,
  headers: { 'content-type': 'text/html' },
  html: markup,
  scripts: [],
  truncated: false,
  notes: [],
});
const OLD =
  '<html><head><script>ga("create", "UA-12345-1", "auto"); ga("send", "pageview")</script></head><body></body></html>';

describe('HTML report', () => {
  it('includes every finding and its fix', () => {
    const result = scan(capture(OLD), { asOf: AS_OF });
    const page = htmlReport(result, AS_OF);
    expect(result.findings.length).toBeGreaterThan(0);
    for (const finding of result.findings) {
      expect(page).toContain(finding.rule_id);
      expect(page).toContain(html`${finding.fix}`.markup);
    }
    expect(page).toContain(`aria-label="Score ${result.score} of 100"`);
  });

  it('contains no external resources and sets a content security policy that blocks scripts and requests', () => {
    const page = htmlReport(scan(capture(OLD), { asOf: AS_OF }), AS_OF);
    expect(page).not.toMatch(/<script|<link|<img|<iframe|\ssrc=|\son\w+=|url\(/i);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  it('escapes hostile text from the page', () => {
    const evil = `"><img src=x onerror=alert(1)><script>alert(2)</script>`;
    const markup = `<html><head><script>Shopify.theme = {"name":${JSON.stringify(evil)},"id":1};
      fbq("init", ${JSON.stringify(evil)}); gtag("config", "UA-1-1${evil.replace(/"/g, '')}");</script>
      <script src="https://evil.example/${encodeURIComponent(evil)}.js"></script></head></html>`;
    const page = htmlReport(scan(capture(markup, `https://shop.example/?q=${evil}`), { asOf: AS_OF }), AS_OF);
    const names: string[] = [];
    const visit = (node: { nodeName: string; childNodes?: never[] }) => {
      names.push(node.nodeName);
      for (const child of node.childNodes ?? []) visit(child);
    };
    visit(parse(page) as never);
    expect(names).not.toContain('script');
    expect(names).not.toContain('img');
  });

  it('is byte-for-byte identical for the same scan', () => {
    const page = () => htmlReport(scan(capture(OLD), { asOf: AS_OF }), AS_OF);
    expect(page()).toBe(page());
  });

  it('shows why a page doesn’t have a score', () => {
    const result = { ...scan(capture(OLD), { asOf: AS_OF }), score: null, not_scored: 'bot protection' };
    expect(htmlReport(result, AS_OF)).toContain('couldn&#39;t be scored: bot protection');
  });

  it('escapes inserted text, but not markup rendered by the same template tag', () => {
    expect(html`<b>${'<i>'}${[1, html`<u>${'&'}</u>`]}</b>`.markup).toBe('<b>&lt;i&gt;1<u>&amp;</u></b>');
  });
});

describe('SARIF log', () => {
  const result = scan(capture(OLD), { asOf: AS_OF });
  const log = JSON.parse(JSON.stringify(sarif(result, '9.9.9')));
  const [run] = log.runs;

  it('contains one result for each finding, with the finding’s location and level', () => {
    expect(log.version).toBe('2.1.0');
    expect(run.results.map((r: { ruleId: string }) => r.ruleId)).toEqual(result.findings.map(f => f.rule_id));
    const levels = { error: 'error', warn: 'warning', info: 'note' };
    expect(run.results.map((r: { level: string }) => r.level)).toEqual(result.findings.map(f => levels[f.severity]));
    for (const { ruleIndex, ruleId, locations } of run.results) {
      expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
      const { artifactLocation, region } = locations[0].physicalLocation;
      expect(artifactLocation.uri).toBe('https://shop.example/');
      expect(Math.min(region.startLine, region.startColumn)).toBeGreaterThan(0);
    }
  });

  it('describes every reported rule', () => {
    for (const rule of run.tool.driver.rules) {
      expect(rule.shortDescription.text).not.toBe('');
      expect(rule.help.text).not.toBe('');
    }
    expect(pageRules.length).toBeGreaterThan(50);
  });

  it('keeps a finding’s fingerprint when the finding moves', () => {
    const moved = sarif(scan(capture(`<!-- \n\n -->${OLD}`), { asOf: AS_OF }), '1') as typeof log;
    const prints = (from: typeof log) =>
      from.runs[0].results.map((r: { partialFingerprints: object }) => r.partialFingerprints);
    expect(prints(JSON.parse(JSON.stringify(moved)))).toEqual(prints(log));
  });
});

describe('SARIF log of a rendered scan', () => {
  const ID = '918273645546372';
  const TWICE = `<script>var Shopify = {}; Shopify.shop = 'x.myshopify.com';</script>
<script>fbq('init','${ID}');fbq('init','${ID}');fbq('track','PageView')</script>`;
  const result = scan(capture(TWICE), { asOf: AS_OF, profile: 'eea' });
  const logOf = (sent: readonly Sent[]) => {
    const joined = joinRendering(result, renderedPage(sent));
    const [run] = JSON.parse(JSON.stringify(sarif(result, '9.9.9', joined))).runs;
    return { joined, run };
  };
  const url = `https://www.facebook.com/tr/?id=${ID}&ev=PageView`;

  it('contains each finding that isn’t refuted, with its verdict', () => {
    const { run, joined } = logOf([['deny', url]]);
    const verdicts = Object.fromEntries(
      run.results.map(({ ruleId, properties }: { ruleId: string; properties: { verdict: string } }) => [
        ruleId,
        properties.verdict,
      ]),
    );
    expect(verdicts.shopify_consent_bypass).toBe('confirmed');
    expect(verdicts).not.toHaveProperty('meta_pixel_duplicate_init');
    expect(run.properties).toMatchObject({ score: joined.score, static_score: result.score });
    expect(run.properties.refuted).toEqual([
      expect.objectContaining({ rule_id: 'meta_pixel_duplicate_init', verdict: 'refuted' }),
    ]);
  });

  it('contains every counted problem that only the traffic shows, with the location of the code to change', () => {
    const at = { initiator: { url: 'https://shop.example/theme.js', line: 4, column: 9 } };
    const { run, joined } = logOf([
      ['load', url, at],
      ['load', url],
      ['deny', url],
    ]);
    const levels = { error: 0, warning: 0, note: 0 };
    for (const { level, ruleIndex, ruleId } of run.results) {
      levels[level as keyof typeof levels] += 1;
      expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
    }
    const { error, warn, info } = joined.severity_counts;
    expect(levels).toEqual({ error, warning: warn, note: info });
    const [early] = run.results.filter(({ ruleId }: { ruleId: string }) => ruleId === 'sent_before_choice');
    expect(early).toMatchObject({
      level: 'note',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'https://shop.example/theme.js' },
            region: { startLine: 4, startColumn: 9 },
          },
        },
      ],
      properties: { verdict: 'traffic', vendor: 'meta', ids: [ID], event: 'PageView' },
    });
    const codes = run.results.map(({ ruleId }: { ruleId: string }) => ruleId);
    expect(codes).toContain('meta_pixel_duplicate_init');
    expect(codes).not.toContain('sent_after_denial');
  });
});

describe('site scan report', () => {
  const evil = '"><img src=x onerror=alert(1)>';
  const scanned = (page_type: 'home' | 'product') => {
    const url = `https://shop.example/${page_type === 'home' ? '' : 'products/mug'}`;
    const result = scan(capture(OLD, url), { asOf: AS_OF });
    return { page_type, url, result: { ...result, score: result.score! }, drift: null, notes: [] };
  };
  const failed = { page_type: 'cart', url: `https://shop.example/cart?${evil}`, result: null, status: 404 } as const;
  const site = combinePages(
    [scanned('home'), scanned('product'), { ...failed, reason: 'http_error', message: `An error ${evil}.` }],
    null,
  );

  it('lists every page type and, for each finding, the affected page types', () => {
    const page = siteHtmlReport(site, AS_OF);
    expect(page).toContain('<dt>Seen on</dt><dd>Home, Product</dd>');
    expect(page).toContain('(HTTP 404)');
    expect(page).toContain(`aria-label="Score ${site.score} of 100"`);
    expect(page).not.toContain('<img');
    expect(siteHtmlReport(site, AS_OF)).toBe(page);
    const log = JSON.parse(JSON.stringify(sarif(site, '9.9.9')));
    expect(log.runs[0].results[0].properties.seen_on).toEqual(['home', 'product']);
    expect(log.runs[0].properties.pages).toHaveLength(3);
  });

  it('reports page types that couldn’t be scanned, even if there are no findings', () => {
    const clean = { ...site, severity_counts: { info: 0, warn: 0, error: 0 }, findings: [] };
    expect(siteHtmlReport(clean, AS_OF)).toContain('1 page type couldn&#39;t be scanned.');
    expect(siteHtmlReport({ ...clean, score: null }, AS_OF)).toContain('couldn&#39;t be scored');
  });
});
