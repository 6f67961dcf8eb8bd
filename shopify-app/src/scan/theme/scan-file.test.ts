import type { Finding } from '@compliance/core/pixel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localRules } from './local-rules.ts';
import { scanFile } from './scan-file.ts';

const scanned = (name: string, source: string): Finding[] => [
  ...scanFile({ name, source, host: 'shop.example', asOf: '2026-11-21' }).findings,
];
const rules = (findings: readonly Finding[]) => [...new Set(findings.map(finding => finding.rule_id))];

describe('theme file scans', () => {
  it('reports a finding’s line and column in the file even if Liquid precedes the code', () => {
    const source = [
      '{% comment %} ga("create", "UA-1-1") {% endcomment %}',
      '{% if settings.ga %}',
      '<script>',
      '  {{ settings.x }}; ga("create", "UA-12345-1", "auto");',
      '</script>{% endif %}',
    ].join('\n');
    const found = scanned('snippets/ga.liquid', source).filter(finding => finding.rule_id === 'ga_analytics_js_legacy');
    expect(found.map(({ where }) => [where.url, where.line, where.column])).toEqual([['snippets/ga.liquid', 4, 21]]);
    expect(found[0]!.snippet).toMatch(/^ga\("create", "UA-12345-1"/);
  });

  it('doesn’t report findings about values that Liquid outputs', () => {
    const pixel = "<script>fbq('init', '{{ settings.pixel }}');fbq('track', 'PageView');</script>";
    expect(rules(scanned('snippets/meta.liquid', pixel)).filter(rule => localRules.has(rule))).toEqual([]);
    const written = pixel.replace('{{ settings.pixel }}', '12');
    expect(rules(scanned('snippets/meta.liquid', written))).toContain('meta_pixel_invalid_id');
    const tag = '<script async src="https://www.googletagmanager.com/gtag/js?id={{ settings.id }}"></script>';
    expect(rules(scanned('snippets/gtag.liquid', tag)).filter(rule => localRules.has(rule))).toEqual([]);
  });

  it('finds code that the merchant pasted into a template section', () => {
    const code = '<script>ga("create", "UA-12345-1", "auto")</script>';
    const json = `/* written by the "theme" editor */\n{\n  "sections": { "a": ${JSON.stringify({ html: code })} }\n}`;
    const [found] = scanned('templates/index.json', json).filter(({ rule_id }) => rule_id === 'ga_analytics_js_legacy');
    expect([found?.where.url, found?.where.line, found?.where.column]).toEqual(['templates/index.json', 3, 30]);
  });

  it('recognizes a retired checkout layout by its filename and an order status script by its Liquid variable', () => {
    expect(rules(scanned('layout/checkout.liquid', '{{ content_for_layout }}'))).toContain('shopify_checkout_liquid');
    expect(rules(scanned('snippets/a.liquid', '{% if first_time_accessed %}x{% endif %}'))).toContain(
      'shopify_order_status_script',
    );
  });

  it('scans any theme file content without throwing an error', () => {
    const names = fc.constantFrom('layout/theme.liquid', 'templates/index.json', 'config/settings_data.json');
    const part = fc.oneof(
      fc.constantFrom('<script>', '</script>', '{%', '%}', '{{', '}}', '"', '\\', "fbq('init','", '{% raw %}', '/*'),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    const sources = fc.array(part, { maxLength: 40 }).map(parts => parts.join(''));
    fc.assert(fc.property(names, sources, (name, source) => Array.isArray(scanned(name, source))));
  });
});

describe('local theme rules', () => {
  it('includes only rules that don’t need the whole page', () => {
    expect([...localRules]).toEqual(expect.arrayContaining(['ga_js_legacy', 'shopify_checkout_liquid']));
    const needPage = [
      'ga4_app_duplicate',
      'google_consent_default_late',
      'gtm_noscript_problem',
      'meta_pixel_duplicate_init',
    ];
    expect(needPage.filter(id => localRules.has(id))).toEqual([]);
  });
});
