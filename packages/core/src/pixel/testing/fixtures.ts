import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drift } from '../drift/drift.ts';
import type { Capture, ScanOptions } from '../model/capture.ts';
import type { Finding } from '../model/finding.ts';
import { scan } from '../scan/scan.ts';
import { captureOf } from './capture-of.ts';
import { type ContainerContents, containerSource, containerUrl } from './container-source.ts';

/** Scan date for fixtures and tests that don't set a date. */
export const TODAY: ScanOptions = { asOf: '2026-11-21' };
const BASELINE: ScanOptions = { asOf: '2026-10-01' };

/** Scans an HTML page and returns the findings for one rule, or all findings if no rule is specified. */
export const findingsOf = (html: string, ruleId?: string, options: ScanOptions = TODAY): readonly Finding[] =>
  scan(captureOf(html), options).findings.filter(f => ruleId === undefined || f.rule_id === ruleId);

/**
 * A fixture for a rule. A `fires` fixture must produce a finding for the rule, and a `silent` fixture must not.
 */
export interface Fixture {
  /** Filename without its extension, for example `fires-in-body`. */
  readonly name: string;
  readonly fires: boolean;
  /** Expected fields in the first finding, or an array with the expected fields of each finding. */
  readonly expected: object | readonly object[];
  readonly findings: () => readonly Pick<Finding, 'rule_id' | 'message_values'>[];
}

/** A fixture that HTML alone can't express, because it needs theme files, containers, or a different scan date. */
interface JsonFixture {
  readonly asOf?: string;
  readonly html?: string;
  /** Theme files, keyed by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Contents of the containers that were fetched with the page, keyed by ID. */
  readonly containers?: Readonly<Record<string, ContainerContents>>;
}

/**
 * Reads the fixtures in a rule folder: `<name>.html` or `<name>.json`, or `<name>.before.html` and `<name>.after.html`
 * for a drift rule. `expected.json` maps fixture names to expected fields.
 *
 * @throws `Error` if `expected.json` names a fixture that doesn't exist, or if a filename doesn't start with `fires-`
 * or `silent-`.
 */
export function readFixtures(folder: string): Fixture[] {
  const files = readdirSync(join(folder, 'fixtures'));
  const read = (file: string): string => readFileSync(join(folder, 'fixtures', file), 'utf8');
  const expected: Record<string, object> = files.includes('expected.json') ? JSON.parse(read('expected.json')) : {};
  const fixtures = files.flatMap((file): Fixture[] => {
    if (file === 'expected.json' || file.endsWith('.before.html')) return [];
    const name = file.replace(/(?:\.after)?\.(?:html|json)$/, '');
    if (!/^(?:fires|silent)-/.test(name)) throw new Error(`${file} must start with fires- or silent-`);
    const findings = file.endsWith('.after.html')
      ? () => {
          const [before, after] = ['before', 'after'].map(when => captureOf(read(`${name}.${when}.html`)));
          return drift(scan(before!, BASELINE).inventory, scan(after!, TODAY).inventory).findings;
        }
      : () => scanFixture(file, read(file));
    return [{ name, fires: name.startsWith('fires-'), expected: expected[name] ?? {}, findings }];
  });
  const unknown = Object.keys(expected).filter(name => !fixtures.some(fixture => fixture.name === name));
  if (unknown.length > 0) throw new Error(`expected.json names fixtures that don't exist: ${unknown.join(', ')}`);
  return fixtures;
}

function scanFixture(file: string, text: string): readonly Finding[] {
  if (file.endsWith('.html')) return scan(captureOf(text), TODAY).findings;
  const { asOf = TODAY.asOf, html = '<html></html>', files = {}, containers = {} }: JsonFixture = JSON.parse(text);
  const scripts: Capture['scripts'] = [
    ...Object.entries(files),
    ...Object.entries(containers).map(([id, contents]) => [containerUrl(id), containerSource(contents)] as const),
  ].map(([url, body]) => ({ url, status: 200, body }));
  return scan(captureOf(html, { scripts }), { asOf }).findings;
}
