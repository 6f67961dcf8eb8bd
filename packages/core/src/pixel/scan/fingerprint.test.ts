import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../model/finding.ts';
import { captureOf } from '../testing/capture-of.ts';
import { fingerprint } from './fingerprint.ts';
import { scan } from './scan.ts';

const OLD = '<script>ga("create", "UA-12345-1", "auto"); ga("send", "pageview")</script>';
const printsOf = (html: string, url = 'https://shop.example/') =>
  scan(captureOf(html, { url, finalUrl: url }), { asOf: '2026-11-21' }).findings.map(fingerprint);

describe('fingerprint', () => {
  it('returns the same fingerprint when the finding moves to another line or script position', () => {
    const before = printsOf(OLD);
    expect(before.length).toBeGreaterThan(0);
    expect(before.every(print => /^[0-9a-f]{32}$/.test(print))).toBe(true);
    expect(printsOf(`<!-- \n\n\n -->${OLD}`)).toEqual(before);
    expect(printsOf(`<script>var one = 1;</script>\n${OLD}`)).toEqual(before);
    expect(printsOf(OLD, 'https://shop.example/?v=2#top')).toEqual(before);
  });

  it('returns a different fingerprint for a different page or different IDs', () => {
    const before = new Set(printsOf(OLD));
    expect(printsOf(OLD, 'https://shop.example/cart').filter(print => before.has(print))).toEqual([]);
    const [one, other] = [OLD, OLD.replace('12345', '54321')].map(html =>
      scan(captureOf(html), { asOf: '2026-11-21' })
        .findings.filter(({ ids }) => ids.length > 0)
        .map(fingerprint),
    );
    expect(one?.length).toBeGreaterThan(0);
    expect(other?.filter(print => one?.includes(print))).toEqual([]);
  });

  it('returns different fingerprints for different rules, variants, IDs, or pages, even if the values contain separators', () => {
    const part = fc.constantFrom('a', 'b', 'a|b', 'a,b', '"', 'a","b', '');
    const finding = fc.record({
      rule_id: part,
      variant: fc.option(part),
      ids: fc.array(part, { maxLength: 3 }),
      where: fc.record({ source: part, line: fc.nat(), column: fc.nat(), url: part }),
    });
    const same = (a: Pick<Finding, 'rule_id' | 'variant' | 'ids' | 'where'>, b: typeof a) =>
      a.rule_id === b.rule_id &&
      a.variant === b.variant &&
      a.ids.length === b.ids.length &&
      a.ids.every((id, i) => id === b.ids[i]) &&
      a.where.url === b.where.url;
    fc.assert(
      fc.property(finding, finding, (a, b) => {
        expect(fingerprint(a) === fingerprint(b)).toBe(same(a, b));
      }),
    );
  });
});
