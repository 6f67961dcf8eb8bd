import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rulesModule } from '../../../scripts/gen-rules.ts';
import { VENDOR_NAMES } from '../model/vendor.ts';
import { contextMetas } from '../scan/context-findings.ts';
import { readFixtures } from '../testing/fixtures.ts';
import { driftRules, pageRules } from './rules.gen.ts';

const ids = readdirSync(import.meta.dirname, { withFileTypes: true }).flatMap(e => (e.isDirectory() ? [e.name] : []));
const rules = [...pageRules, ...driftRules];

describe.each(ids)('rule %s', id => {
  const fixtures = readFixtures(join(import.meta.dirname, id));

  it('has at least one fixture that triggers the rule and at least one that doesn’t', () => {
    expect(fixtures.map(({ fires }) => fires)).toEqual(expect.arrayContaining([true, false]));
  });

  it.each(fixtures.filter(({ fires }) => fires))(
    'reports a finding for the fixture $name',
    ({ findings, expected }) => {
      const found = findings().filter(({ rule_id }) => rule_id === id);
      expect(found).not.toEqual([]);
      expect(Array.isArray(expected) ? found : found[0]).toMatchObject(expected);
    },
  );

  it.each(fixtures.filter(({ fires }) => fires))(
    'names the vendor in the message for the fixture $name',
    ({ findings }) => {
      const vendors = findings().flatMap(({ message_values }) => message_values?.vendor ?? []);
      expect(vendors.filter(vendor => Object.hasOwn(VENDOR_NAMES, String(vendor)))).toEqual([]);
    },
  );

  it.each(fixtures.filter(({ fires }) => !fires))('doesn’t report a finding for the fixture $name', ({ findings }) => {
    expect(findings().filter(({ rule_id }) => rule_id === id)).toEqual([]);
  });
});

describe('rule registry', () => {
  it('registers exactly the rules that have a folder (if not, run `pnpm gen`)', () => {
    expect(readFileSync(join(import.meta.dirname, 'rules.gen.ts'), 'utf8')).toBe(rulesModule());
    expect(rules.map(({ meta }) => meta.id).sort()).toEqual(ids.sort());
  });

  it('never gives a rule the same ID as a context finding', () => {
    expect(contextMetas.filter(({ id }) => ids.includes(id))).toEqual([]);
  });

  it('provides a description, a reason, a fix, and at least one source for every rule', () => {
    for (const { meta } of rules) {
      expect(meta.what.length, meta.id).toBeGreaterThan(20);
      expect(meta.why.length, meta.id).toBeGreaterThan(15);
      expect(meta.fix.length, meta.id).toBeGreaterThan(10);
      expect(meta.sources.length, meta.id).toBeGreaterThan(0);
    }
  });
});
