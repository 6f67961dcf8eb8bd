import { type Finding, pageRules } from '@compliance/core/pixel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localRules } from './local-rules.ts';
import { scanFile } from './scan-file.ts';

const scanned = (name: string, source: string): Finding[] => [
  ...scanFile({ name, source, host: 'shop.example', asOf: '2026-11-21' }).findings,
];
const rules = (findings: readonly Finding[]) => [...new Set(findings.map(finding => finding.rule_id))];

describe('a theme file', () => {
  it('is found at its own line and column, Liquid or not before it', () => {
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

  it('says nothing of a value that Liquid prints', () => {
    const pixel = "<script>fbq('init', '{{ settings.pixel }}');fbq('track', 'PageView');</script>";
    expect(rules(scanned('snippets/meta.liquid', pixel)).filter(rule => localRules.has(rule))).toEqual([]);
    const written = pixel.replace('{{ settings.pixel }}', '12');
    expect(rules(scanned('snippets/meta.liquid', written))).toContain('meta_pixel_invalid_id');
    const tag = '<script async src="https://www.googletagmanager.com/gtag/js?id={{ settings.id }}"></script>';
    expect(rules(scanned('snippets/gtag.liquid', tag)).filter(rule => localRules.has(rule))).toEqual([]);
  });

  it('is read where the merchant pasted code into a section of a template', () => {
    const code = '<script>ga("create", "UA-12345-1", "auto")</script>';
    const json = `/* written by the "theme" editor */\n{\n  "sections": { "a": ${JSON.stringify({ html: code })} }\n}`;
    const [found] = scanned('templates/index.json', json).filter(({ rule_id }) => rule_id === 'ga_analytics_js_legacy');
    expect([found?.where.url, found?.where.line, found?.where.column]).toEqual(['templates/index.json', 3, 30]);
  });

  it('that is a retired checkout layout is found by its name', () => {
    expect(rules(scanned('layout/checkout.liquid', '{{ content_for_layout }}'))).toContain('shopify_checkout_liquid');
    expect(rules(scanned('snippets/a.liquid', '{% if first_time_accessed %}x{% endif %}'))).toContain(
      'shopify_order_status_script',
    );
  });

  it('never throws, whatever it holds', () => {
    const names = fc.constantFrom('layout/theme.liquid', 'templates/index.json', 'config/settings_data.json');
    const part = fc.oneof(
      fc.constantFrom('<script>', '</script>', '{%', '%}', '{{', '}}', '"', '\\', "fbq('init','", '{% raw %}', '/*'),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    const sources = fc.array(part, { maxLength: 40 }).map(parts => parts.join(''));
    fc.assert(fc.property(names, sources, (name, source) => Array.isArray(scanned(name, source))));
  });
});

describe('the rules for a part of a page', () => {
  it('are rules there are, and every rule was judged', () => {
    const whole = pageRules.map(({ meta }) => meta.id).filter(id => !localRules.has(id));
    // A new rule belongs into `localRules` or here.
    expect(whole.length + localRules.size).toBe(pageRules.length);
    expect(whole).toMatchInlineSnapshot(`
      [
        "ga_universal_shopify_preferences",
        "ga4_app_duplicate",
        "ga4_multiple_ids",
        "google_consent_default_late",
        "google_consent_default_missing",
        "google_first_party_delivery",
        "google_tag_config_without_loader",
        "google_tag_duplicate_config",
        "gtm_and_hardcoded_google_tag",
        "gtm_datalayer_name_mismatch",
        "gtm_datalayer_overwritten",
        "gtm_duplicate_container",
        "gtm_multiple_containers",
        "gtm_noscript_problem",
        "gtm_not_in_head",
        "meta_pixel_app_duplicate",
        "meta_pixel_app_theme_mismatch",
        "meta_pixel_consent_order",
        "meta_pixel_duplicate_init",
        "meta_pixel_image_outside_noscript",
        "meta_pixel_missing_event_id",
        "meta_pixel_missing_pageview",
        "meta_pixel_multiple_ids",
        "meta_pixel_noscript_only",
        "meta_pixel_theme_events_with_app",
        "meta_pixel_track_without_init",
        "meta_pixel_trekkie_preferences",
        "shopify_consent_bypass",
        "shopify_duplicate_web_pixels",
        "shopify_merchant_ga_script",
        "shopify_migrated_ga_custom_pixel",
        "shopify_pixel_purposes_empty",
        "shopify_script_tag_injected",
      ]
    `);
  });
});
