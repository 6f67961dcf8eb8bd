import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledDataset } from '@compliance/core/tariff/dataset';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDER = join(ROOT, 'packages/action');

interface Action {
  inputs: Record<string, { default: string; description: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: { name: string; id?: string; if: string; shell: string; env: Record<string, string>; run: string }[] };
}
const action = parse(readFileSync(join(FOLDER, 'action.yml'), 'utf8')) as Action;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'compliance-action-'));
  mkdirSync(join(folder, 'bin'));
  // Run the command from source. The published action downloads it instead.
  const main = `'${process.execPath}' --conditions=@compliance/source '${join(ROOT, 'packages/cli/src/main.ts')}'`;
  writeNpx(`echo "$3" >> '${folder}/packages'\nshift 5\nexec ${main} "$@"`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeNpx(script: string): void {
  const file = join(folder, 'bin/npx');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

/**
 * Replaces the command with a stub that records its arguments and prints a fixed result. Returns a function that
 * reads the arguments.
 */
function recordArguments(result: object = {}): () => string[] {
  save('result.json', JSON.stringify(result));
  writeNpx(`shift 5\nprintf '%s\\0' "$@" > '${folder}/arguments'\ncat '${folder}/result.json'`);
  return () => readFileSync(join(folder, 'arguments'), 'utf8').split('\0').slice(0, -1);
}

/** Returns true if a step's condition is met. Supports only conditions that compare inputs with an empty string. */
function holds(condition: string, inputs: Record<string, string>): boolean {
  const comparison = (text: string) => {
    const [, name] = /^inputs\.([\w-]+) != ''$/.exec(text)!;
    return inputs[name!] !== '';
  };
  return condition.includes('&&')
    ? condition.split(' && ').every(comparison)
    : condition.split(' || ').some(comparison);
}

/** Runs the steps as a runner does, with the inputs as environment variables, until a step fails. */
function run(given: Record<string, string>) {
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default]);
  const inputs: Record<string, string> = { ...Object.fromEntries(defaults), ...given };
  const [output, summary] = [join(folder, 'output'), join(folder, 'summary')];
  for (const file of [output, summary]) writeFileSync(file, '');
  const ran: string[] = [];
  let log = '';
  let status = 0;
  for (const step of action.runs.steps) {
    if (status !== 0 || !holds(step.if, inputs)) continue;
    ran.push(step.name);
    const own = Object.entries(step.env).map(([name, value]) => {
      const [, input] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)!;
      return [name, inputs[input!]];
    });
    const runner = { GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, GITHUB_ACTION_PATH: FOLDER };
    const path = `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`;
    const env = { ...Object.fromEntries(own), ...runner, RUNNER_TEMP: folder, PATH: path, HOME: folder };
    const script = join(folder, 'step.sh');
    writeFileSync(script, step.run);
    const args = ['--noprofile', '--norc', '-eo', 'pipefail', script];
    const result = spawnSync('bash', args, { cwd: folder, env, encoding: 'utf8', timeout: 60_000 });
    log += result.stdout + result.stderr;
    status = result.status ?? -1;
  }
  const lines = readFileSync(output, 'utf8').trim().split('\n');
  const outputs = Object.fromEntries(lines.map(line => line.split(/=(.*)/s)));
  return { ran, log, status, outputs, summary: readFileSync(summary, 'utf8') };
}

const save = (name: string, text: string) => writeFileSync(join(folder, name), text);
const OLD = '<script>ga("create", "UA-12345-1", "auto"); ga("send", "pageview")</script>';
const PAGE = { html: 'page.html', url: 'https://shop.example/' };

describe('the GitHub Action', () => {
  it('never inserts an input into a script', () => {
    for (const { run: script, shell, env } of action.runs.steps) {
      expect(script).not.toContain('${{');
      expect(shell).toBe('bash');
      const used = Object.values(env).map(value => /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1]);
      expect(used.filter(name => !Object.hasOwn(action.inputs, name ?? ''))).toEqual([]);
    }
    for (const { value } of Object.values(action.outputs))
      expect(value).toMatch(/^\$\{\{ steps\.scan\.outputs\.\w+ \}\}$/);
  });

  it('scans a page, writes a SARIF log, sets the outputs, and fails if there are errors', () => {
    save('page.html', OLD);
    const { ran, status, log, outputs, summary } = run(PAGE);
    expect([ran, status]).toEqual([['Scan the storefront'], 1]);
    expect(log).toContain('The scan result matches fail-on: error.');
    expect(outputs).toMatchObject({ score: expect.stringMatching(/^\d+$/), errors: '1', drift: '' });
    expect(summary).toContain('ga_analytics_js_legacy');
    const { version, runs } = JSON.parse(readFileSync(join(folder, 'compliance.sarif'), 'utf8'));
    expect([version, runs[0].results[0].ruleId]).toEqual(['2.1.0', 'ga_analytics_js_legacy']);
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(action.outputs).sort());
    const cli = JSON.parse(readFileSync(join(ROOT, 'packages/cli/package.json'), 'utf8'));
    expect(readFileSync(join(folder, 'packages'), 'utf8')).toBe(`@compliance/cli@${cli.version}\n`);
  });

  it('reports changes since a baseline, but fails only if `fail-on` includes `drift`', () => {
    save('page.html', '<p>No tags</p>');
    const first = run(PAGE);
    expect(first.status).toBe(0);
    cpSync(first.outputs.result!, join(folder, 'baseline.json'));
    save('page.html', OLD);
    const drifted = run({ ...PAGE, baseline: 'baseline.json', 'fail-on': 'drift' });
    expect([drifted.status, drifted.outputs.drift]).toEqual([1, 'changed']);
    expect(drifted.log).toContain('The scan result matches fail-on: drift.');
    recordArguments(JSON.parse(readFileSync(drifted.outputs.result!, 'utf8')));
    expect(run({ ...PAGE, 'fail-on': 'never' }).status).toBe(0);
    const unknown = run({ ...PAGE, 'fail-on': 'errors' });
    expect([unknown.status, unknown.log]).toEqual([1, expect.stringContaining('accepts error, warn, drift, never.')]);
  });

  it('checks a catalog and compares its duties with those in an earlier data set', () => {
    save('catalog.csv', 'sku,hts\nBOLT,7318.15.2061\nHORSE,0101.21.00\n');
    save('dataset.json', JSON.stringify(bundledDataset()));
    const catalog = { catalog: 'catalog.csv', 'catalog-as-of': '2026-10-01' };
    const passed = run({ ...catalog, 'catalog-baseline': 'dataset.json', 'catalog-baseline-fail-on': 'changed' });
    expect(passed).toMatchObject({ ran: ['Check the catalog', 'Compare the duties on the catalog'], status: 0 });
    expect(passed.log).toContain('the duties on 0 of 2 products change');
    expect(readFileSync(join(folder, 'compliance-catalog.csv'), 'utf8')).toMatch(/BOLT,.*hit/);
    const failed = run({ ...catalog, 'catalog-fail-on': 'hit' });
    expect([failed.status, failed.log]).toEqual([1, expect.stringContaining('1 of 2 results match --fail-on hit')]);
  });

  it.each([
    `$(touch pwned)\`touch pwned\`"; touch pwned; "'; touch pwned #\nscore=100 $` + '{{ github.token }}',
    '--out=pwned',
  ])('passes the hostile input %j to the command unchanged', hostile => {
    const read = recordArguments();
    const scan = { url: hostile, sarif: hostile, baseline: hostile, profile: hostile };
    run(scan);
    const options = [`--sarif-report=${hostile}`, `--profile=${hostile}`, `--baseline=${hostile}`];
    expect(read()).toEqual(['scan', '--json', ...options, '--', hostile]);
    run({ ...scan, site: hostile });
    expect(read().at(-1)).toBe(`--site=${hostile}`);
    const columns = { 'catalog-column': hostile, 'catalog-origin-column': hostile, 'catalog-as-of': hostile };
    const catalog = { catalog: hostile, ...columns, 'catalog-out': hostile, 'catalog-fail-on': hostile };
    run(catalog);
    const lookup = ['csv', 'out', 'column', 'origin-column', 'as-of', 'fail-on'].map(name => `--${name}=${hostile}`);
    expect(read()).toEqual(['lookup', ...lookup]);
    run({ ...catalog, 'catalog-baseline': hostile, 'catalog-baseline-fail-on': hostile });
    const watch = ['csv', 'from', 'column', 'origin-column', 'as-of', 'fail-on'].map(name => `--${name}=${hostile}`);
    expect(read()).toEqual(['watch', ...watch]);
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });

  it('escapes page text in the summary', () => {
    const message = 'UA-1\n::error::x|`<img src=x>` [link](https://attacker.example) ![image](x)';
    const counts = { error: 0, warn: 1, info: 0 };
    recordArguments({
      score: 90,
      severity_counts: counts,
      drift: null,
      findings: [{ severity: 'warn', rule_id: 'x', message }],
    });
    const { status, summary } = run(PAGE);
    expect(status).toBe(0);
    expect(summary.split('\n').at(-2)).toMatch(/^\| warn \| x \| [^|<`[!\n]+ \|$/);
  });
});
