import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../model/finding.ts';
import { pageRules } from '../rules/rules.gen.ts';
import { scanThemeFile } from '../theme-file/scan-theme-file.ts';
import { applyEdit, type FileEdit } from './file-edit.ts';
import { FIX_RULES } from './fix-rules.ts';
import { proposeFixes } from './propose-fixes.ts';

const fileOf = (source: string, name = 'layout/theme.liquid') => ({
  ...{ name, source, host: 'shop.example', asOf: '2026-11-21' },
});
const same = (a: Finding, b: Finding) =>
  a.rule_id === b.rule_id && a.variant === b.variant && a.ids.join() === b.ids.join();
const known = (one: Finding, before: readonly Finding[]) =>
  before.some(
    all => all.rule_id === one.rule_id && all.variant === one.variant && one.ids.every(id => all.ids.includes(id)),
  );
const liquidIn = (source: string) => source.match(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g) ?? [];
const linesOf = (source: string) => source.split(/(?<=\n|\r(?!\n))/);

/** Applies each fix and checks that it meets the guarantees of `proposeFixes`. Returns the fixed findings' rule IDs. */
function checkFixes(source: string): string[] {
  const file = fileOf(source);
  const before = scanThemeFile(file);
  return proposeFixes(file, before).flatMap((fix, i) => {
    if ('reason' in fix) return [];
    const edited = applyEdit(source, fix.edit);
    const after = scanThemeFile(fileOf(edited));
    expect(after.filter(one => same(one, before[i]!))).toEqual([]);
    expect(after.filter(one => !known(one, before))).toEqual([]);
    expect(liquidIn(edited)).toEqual(liquidIn(source));
    expect(unchanged(source, fix.edit, 'before')).toEqual(unchanged(edited, shifted(fix.edit), 'after'));
    return [before[i]!.rule_id];
  });
}

/** Returns the lines outside an edit, with their line breaks. */
function unchanged(source: string, edit: FileEdit, side: 'before' | 'after'): string[] {
  const lines = linesOf(source);
  for (const { line, [side]: changed } of edit.toReversed()) lines.splice(line - 1, changed.length);
  return lines.filter(line => line !== '');
}

/** Returns an edit with its line numbers adjusted to the edited file. */
function shifted(edit: FileEdit): FileEdit {
  let shift = 0;
  return edit.map(change => {
    const line = change.line + shift;
    shift += change.after.length - change.before.length;
    return { ...change, line };
  });
}

const UNIVERSAL = `<script>
  (function(i,s,o,g,r,a,m){i['GoogleAnalyticsObject']=r;i[r]=i[r]||function(){(i[r].q=i[r].q||[]).push(arguments)}})(window,document,'script','https://www.google-analytics.com/analytics.js','ga');
  ga('create', 'UA-48151623-1', 'auto');
  ga('send', 'pageview');
</script>`;
const META = `<script>
  !function(f,b,e,v,n,t,s){if(f.fbq)return;n=f.fbq=function(){n.callMethod?n.callMethod.apply(n,arguments):n.queue.push(arguments)};n.push=n;n.loaded=!0;n.version='2.0';n.queue=[];t=b.createElement(e);t.async=!0;t.src=v;s=b.getElementsByTagName(e)[0];s.parentNode.insertBefore(t,s)}(window,document,'script','https://connect.facebook.net/en_US/fbevents.js');
  fbq('init', '731205580412977');
  fbq('track', 'PageView');
</script>`;
const GTAG = `<script async src="https://www.googletagmanager.com/gtag/js?id=G-7ESS123456"></script>
<script>
  window.dataLayer = window.dataLayer || [];
  function gtag(){dataLayer.push(arguments);}
  gtag('js', new Date());
  gtag('config', 'G-7ESS123456');
</script>`;
const GTM = `<script>(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});var f=d.getElementsByTagName(s)[0],j=d.createElement(s);j.async=true;j.src='https://www.googletagmanager.com/gtm.js?id='+i;f.parentNode.insertBefore(j,f);})(window,document,'script','dataLayer','GTM-W7K4PXQ');</script>`;

/** Theme file parts, including tags that fixes change and Liquid that they must not change. */
const part = fc.constantFrom(
  ...[UNIVERSAL, META, META, GTAG, GTAG, GTM],
  "<script>fbq('track', 'ViewCategory')</script>",
  "<script>\n  fbq('track', 'AddToCart', { value: {{ product.price }}, currency: 'USD' })\n</script>",
  "<script>gtag('event', 'add_to_chart', { currency: 'USD', value: 1, items: [{ item_id: '1' }] });</script>",
  "<script>gtag('config', 'UA-48151623-1');</script>",
  "<script>gtag('consent', 'default', { ad_storage: 'denied', analytics_storage: 'denied' });</script>",
  "<script>dataLayer = [{ page: '{{ template }}' }];</script>",
  '<noscript><img src="https://www.facebook.com/tr?id=731205580412977&ev=PageView&noscript=1"></noscript>',
  '<img src="https://www.facebook.com/tr?id=731205580412977&ev=PageView">',
  '<script src="//connect.facebook.net/en_US/fbds.js"></script>',
  "<script>var _gaq = _gaq || []; _gaq.push(['_setAccount', 'UA-21673000-1']); {{ shop.name | json }};</script>",
  "{% if customer %}<script>ga('set', 'userId', '{{ customer.id }}');</script>{% endif %}",
  "{% unless settings.x %}\n<script>fbq('init', '731205580412977');</script>\n{% else %}",
  ...['{% endunless %}', '{% if a %}', '{% else %}', '{% endif %}', '{{ content_for_header }}', '</head>', '<body>'],
  '{% comment %} <script>ga("create", "UA-1-1")</script> {% endcomment %}',
  '{% schema %}{ "name": "{{ x }}" }{% endschema %}',
  ...['<p>{{ page.title }}</p>', '<!-- Analytics -->', '', '  '],
);
const themeFile = fc
  .tuple(fc.array(part, { maxLength: 10 }), fc.constantFrom('\n', '\r\n', '', '\n    '))
  .map(([parts, separator]) => `<head>${separator}${parts.join(separator)}${separator}`)
  .chain(text => fc.constantFrom(text, text.replace(/\r?\n/g, '\r\n'), text.trimEnd()));

describe('proposeFixes', () => {
  it('defines a fix or a no-fix reason for every rule', () => {
    expect(Object.keys(FIX_RULES)).toEqual(pageRules.map(({ meta }) => meta.id).sort());
  });

  it('fixes the finding in any theme file without causing a new finding or changing Liquid code or other lines', () => {
    const fixed = new Set<string>();
    fc.assert(
      fc.property(themeFile, source => {
        for (const rule of checkFixes(source)) fixed.add(rule);
      }),
      { numRuns: 400, seed: 20_261_127 },
    );
    expect([...fixed]).toEqual(
      expect.arrayContaining([
        'ga_analytics_js_legacy',
        'ga_universal_id',
        'google_consent_default_missing',
        'google_consent_incomplete',
        'gtm_duplicate_container',
        'gtm_noscript_problem',
        'meta_pixel_duplicate_init',
        'meta_pixel_legacy_library',
      ]),
    );
  });

  const rules = join(import.meta.dirname, '../rules');
  const fixtures = readdirSync(rules).flatMap(rule => {
    const folder = join(rules, rule, 'fixtures');
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter(file => /^fires-.*(?<!before|after)\.html$/.test(file))
      .map(file => [rule, file, readFileSync(join(folder, file), 'utf8')] as const);
  });
  it('fixes the findings in at least 40 rule fixtures', () => {
    const fixed = fixtures.filter(([rule, , html]) => checkFixes(html).includes(rule));
    expect(fixed.length).toBeGreaterThanOrEqual(40);
  });
});

const pages = join(import.meta.dirname, '../../../../../../shared/data/pixel-corpus/pages');
const present = existsSync(pages);
describe.skipIf(!present)(
  present ? 'proposeFixes' : 'proposeFixes (skipped: no ../shared/data/pixel-corpus next to the checkout)',
  () => {
    // Skip pages that are far longer than any theme file.
    it('fixes findings on saved pages of up to 200,000 characters without adding new ones', { timeout: 60_000 }, () => {
      const texts = readdirSync(pages).map(page => readFileSync(join(pages, page), 'utf8'));
      const fixed = texts.filter(({ length }) => length <= 200_000).flatMap(checkFixes);
      expect(fixed.length).toBeGreaterThanOrEqual(20);
    });
  },
);

const fixOf = (source: string, rule: string) => {
  const file = fileOf(source);
  const findings = scanThemeFile(file).filter(({ rule_id }) => rule_id === rule);
  expect(findings).not.toEqual([]);
  return proposeFixes(file, findings)[0]!;
};

describe('the fix', () => {
  it('deletes a legacy tag’s script without leaving blank lines', () => {
    const source = `{% comment %}x{% endcomment %}\n${UNIVERSAL}\n<p>{{ a }}</p>\n`;
    const fix = fixOf(source, 'ga_analytics_js_legacy');
    expect('edit' in fix && applyEdit(source, fix.edit)).toBe('{% comment %}x{% endcomment %}\n<p>{{ a }}</p>\n');
    expect('edit' in fix && fix.removes).toEqual(['ga', 'GoogleAnalyticsObject']);
  });

  it('deletes only the legacy calls in a script that also has other purposes', () => {
    const source =
      "<script>\n  var cart = { items: 0 };\n  ga('create', 'UA-48151623-1', 'auto');\n  openCart(cart);\n</script>\n";
    const fix = fixOf(source, 'ga_analytics_js_legacy');
    expect('edit' in fix && fix.edit).toEqual([
      { line: 3, before: ["  ga('create', 'UA-48151623-1', 'auto');"], after: [] },
    ]);
  });

  it('doesn’t delete code that other code in the file uses', () => {
    const source = `${UNIVERSAL}\n<script>document.onclick = function () { ga('send', 'event'); openCart(); };</script>\n`;
    expect(fixOf(source, 'ga_analytics_js_legacy')).toEqual({ reason: 'mixed' });
  });

  it('doesn’t delete a script that contains Liquid', () => {
    const source = UNIVERSAL.replace("'auto'", '{{ settings.domain | json }}');
    expect(fixOf(source, 'ga_analytics_js_legacy')).toEqual({ reason: 'liquid' });
  });

  it('keeps the unconditional copy of a duplicate tag, and doesn’t choose between Liquid branches', () => {
    const source = `${META}\n{% if a %}\n${META}\n{% endif %}\n`;
    const fix = fixOf(source, 'meta_pixel_duplicate_init');
    expect('edit' in fix && applyEdit(source, fix.edit)).toBe(`${META}\n{% if a %}\n{% endif %}\n`);
    const branches = `{% if a %}\n${META}\n{% else %}\n${META}\n{% endif %}\n`;
    expect(fixOf(branches, 'meta_pixel_duplicate_init')).toEqual({ reason: 'needs_decision' });
  });

  it('doesn’t delete a second call with different options', () => {
    const source = `${GTAG}\n<script>gtag('config', 'G-7ESS123456', { groups: 'b' });</script>`;
    expect(fixOf(source, 'google_tag_duplicate_config')).toEqual({ reason: 'needs_decision' });
  });

  it('inserts a consent default before the first tag, with the same indentation', () => {
    const source = `<head>\n  ${GTAG.replaceAll('\n', '\n  ')}\n</head>\n`;
    const fix = fixOf(source, 'google_consent_default_missing');
    expect(
      'edit' in fix && fix.edit.map(({ line, before, after }) => [line, before.length, after[0], after.at(-1)]),
    ).toEqual([[2, 0, '  <script>', '  </script>']]);
  });

  it('loads the Google tag with the remaining ID after removing a Universal Analytics ID', () => {
    const source = GTAG.replace('id=G-7ESS123456', 'id=UA-48151623-1').replace(
      '</script>\n<script>',
      "</script>\n<script>gtag('config', 'UA-48151623-1');</script>\n<script>",
    );
    const fix = fixOf(source, 'ga_universal_id');
    expect('edit' in fix && applyEdit(source, fix.edit)).toBe(GTAG);
  });

  it('sets missing consent signals to the value of ad_storage', () => {
    const source =
      "<script>\n  gtag('consent', 'default', {\n    ad_storage: 'denied',\n    analytics_storage: 'granted'\n  });\n</script>\n";
    const fix = fixOf(source, 'google_consent_incomplete');
    expect('edit' in fix && fix.edit).toEqual([
      { line: 4, before: [], after: ["    ad_personalization: 'denied',", "    ad_user_data: 'denied',"] },
    ]);
  });

  it('doesn’t show code that contains personal data', () => {
    const source = "<script>ga('create', 'UA-48151623-1', 'auto'); ga('set', 'owner', 'ana@shop.example');</script>";
    expect(fixOf(source, 'ga_analytics_js_legacy')).toEqual({ reason: 'secret' });
  });

  it('reports that a missing event ID needs a value that isn’t in the theme', () => {
    const source =
      "<script>fbq('init', '731205580412977'); fbq('track', 'Purchase', { value: 1, currency: 'USD' })</script>";
    expect(fixOf(source, 'meta_pixel_missing_event_id')).toEqual({ reason: 'needs_value' });
  });
});
