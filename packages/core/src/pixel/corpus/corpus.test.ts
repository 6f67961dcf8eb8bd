import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scan } from '../scan/scan.ts';
import { captureOf } from '../testing/capture-of.ts';
import { TODAY } from '../testing/fixtures.ts';
import reviewed from './reviewed.json' with { type: 'json' };

interface Label {
  readonly id: string;
  readonly expected_rules: readonly string[];
  readonly expected_variants: readonly { readonly rule_id: string; readonly variant: string }[];
}

const folder = join(import.meta.dirname, '../../../../../../shared/data/pixel-corpus');
const present = existsSync(folder);
const pages: readonly Label[] = present ? JSON.parse(readFileSync(join(folder, 'labels.json'), 'utf8')).pages : [];
const contexts =
  /^scan_|^shopify_(?:not_detected|headless|password_page|preview_theme)$|^web_pixels_config_absent$|^gtm_contents_unseen$/;

describe.skipIf(!present)(
  present ? 'page scanning' : 'page scanning (skipped: no ../shared/data/pixel-corpus next to the checkout)',
  () => {
    it('is tested on exactly one saved page per label', () => {
      expect(readdirSync(join(folder, 'pages'))).toHaveLength(pages.length);
      expect(pages.length).toBe(67);
    });

    it.each(pages.map(page => [page.id, page] as const))(
      'reports every labeled rule for %s, and other rules only if their findings were manually reviewed',
      (id, page) => {
        const html = readFileSync(join(folder, 'pages', `${id}.html`), 'utf8');
        const { findings, score } = scan(captureOf(html), TODAY);
        const rules = new Set(findings.map(f => f.rule_id));
        expect(page.expected_rules.filter(rule => !rules.has(rule))).toEqual([]);
        const variants = page.expected_variants.filter(
          v => !findings.some(f => f.rule_id === v.rule_id && f.variant === v.variant),
        );
        expect(variants).toEqual([]);
        const extra = [...rules].filter(rule => !page.expected_rules.includes(rule) && !contexts.test(rule));
        const known = reviewed.filter(r => r.page === id).map(r => r.rule);
        expect(extra.filter(rule => !known.includes(rule))).toEqual([]);
        expect(
          known.filter(rule => !extra.includes(rule)),
          'reviewed findings that the scan no longer reports',
        ).toEqual([]);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
      },
    );
  },
);
