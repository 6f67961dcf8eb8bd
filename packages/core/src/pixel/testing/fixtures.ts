import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ScanOptions } from '../capture.ts';
import { type DriftFinding, drift } from '../drift/drift.ts';
import type { Finding } from '../finding.ts';
import type { DriftRule, PageRule } from '../rule.ts';
import { scan } from '../scan.ts';
import { captureOf } from './capture-of.ts';

export const TODAY: ScanOptions = { asOf: '2026-11-21' };

/** The findings of one rule, or all, for a piece of HTML. */
export const findingsOf = (html: string, ruleId?: string, options: ScanOptions = TODAY): readonly Finding[] =>
  scan(captureOf(html), options).findings.filter(f => ruleId === undefined || f.rule_id === ruleId);

type Expected<F> = Readonly<Record<string, Partial<F>>>;

/**
 * Runs the fixtures beside a page rule through a whole scan: `fires-*.html` must give a finding of the rule, `silent-*.html`
 * none. `expected` says more about single fixtures.
 */
export function testRule(
  rule: PageRule,
  folder: string,
  expected: Expected<Finding> = {},
  options: ScanOptions = TODAY,
): void {
  const files = readdirSync(join(folder, 'fixtures')).filter(f => f.endsWith('.html'));
  covers(files, expected);
  for (const file of files) {
    const name = file.slice(0, -5);
    const html = readFileSync(join(folder, 'fixtures', file), 'utf8');
    it(name.replaceAll('-', ' '), () => {
      const found = findingsOf(html, rule.meta.id, options);
      if (name.startsWith('silent-')) expect(found).toEqual([]);
      else {
        expect(found).not.toEqual([]);
        expect(found[0]).toMatchObject(expected[name] ?? {});
      }
    });
  }
}

/** The same for a drift rule: `<name>.before.html` and `<name>.after.html` are two states of one page. */
export function testDriftRule(rule: DriftRule, folder: string, expected: Expected<DriftFinding> = {}): void {
  const names = readdirSync(join(folder, 'fixtures')).flatMap(f =>
    f.endsWith('.before.html') ? [f.slice(0, -12)] : [],
  );
  covers(names, expected);
  for (const name of names) {
    const [before, after] = ['before', 'after'].map((when, i) => {
      const html = readFileSync(join(folder, 'fixtures', `${name}.${when}.html`), 'utf8');
      return scan(captureOf(html), { asOf: i === 0 ? '2026-10-01' : '2026-11-21' }).inventory;
    });
    it(name.replaceAll('-', ' '), () => {
      const found = drift(before!, after!).findings.filter(f => f.rule_id === rule.meta.id);
      if (name.startsWith('silent-')) expect(found).toEqual([]);
      else {
        expect(found).not.toEqual([]);
        expect(found[0]).toMatchObject(expected[name] ?? {});
      }
    });
  }
}

function covers(files: readonly string[], expected: Expected<unknown>): void {
  it('has a fixture that fires and one that is silent', () => {
    expect(files.some(f => f.startsWith('fires-'))).toBe(true);
    expect(files.some(f => f.startsWith('silent-'))).toBe(true);
    const names = new Set(files.map(f => f.replace(/\.html$/, '')));
    expect(Object.keys(expected).filter(name => !names.has(name))).toEqual([]);
  });
}
