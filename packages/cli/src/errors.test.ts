import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from './commands.gen.ts';
import { folderWithStore, runCli, temporaryFolder } from './testing/run-cli.ts';

const FILE = '/no/such/file';
const URL_FORM = 'enter a URL such as';

/** Commands that fail, each with its exit code and part of its message. */
const FAILURES: [args: string, exitCode: 1 | 2, message: string][] = [
  ['lokup', 2, "Unknown command 'lokup'. Did you mean lookup? For usage, add --help."],
  ['lookup --jsn', 2, "Unknown option '--jsn'. Did you mean --json? For usage, add --help."],
  ['lookup --csv', 2, "Option '--csv <file>' argument missing. For usage, add --help."],
  [`lookup --csv ${FILE}`, 1, `Can't read ${FILE} as CSV (ENOENT). Correct the path.`],
  ['lookup 7318 --fail-on nothing', 2, '--fail-on nothing: enter hit, in_scope, or invalid.'],
  ['lookup 7318 --format csv', 2, '--format requires --out.'],
  ['scan', 2, 'Specify the URL of a storefront page'],
  ['scan --json --sarif x.example', 2, "Option '--json' cannot be used with option '--sarif'. For usage, add --help."],
  ['scan x.example --profile uk', 2, '--profile uk: allowed choices are us, eea.'],
  ['scan x.example --lang nl', 2, '--lang nl: supported languages are en, de, es, fr, ja.'],
  [`scan --html ${FILE} --url https://x.example/`, 1, `Can't read the saved page ${FILE} (ENOENT). Correct the path.`],
  ['certify', 2, 'Specify a request file.'],
  ['certify --template gpc', 2, "There's no sample request for gpc. Specify gcc or cpc."],
  [`certify ${FILE}`, 1, `Can't read ${FILE}`],
  ['tariff assess 7318.15.2061', 2, "Required option '--origin <country>' not specified. For usage, add --help."],
  ['tariff diff 2026-01-01', 2, "Missing required argument 'to'. For usage, add --help."],
  [`tariff lists --dataset ${FILE}`, 1, `Can't read ${FILE} (ENOENT). Correct the path.`],
  [`watch --csv ${FILE}`, 1, `Can't read ${FILE} as CSV (ENOENT). Correct the path.`],
  [`verify ${FILE}`, 1, `Can't read ${FILE} (ENOENT). Correct the path.`],
  [`label ${FILE} -o label.gif`, 2, '--out label.gif: enter a filename that ends in'],
  ['jobs list', 2, 'Set COMPLIANCE_API_KEY to an API key'],
  ['queues redrive', 2, "Missing required argument 'id'. For usage, add --help."],
  ['jobs list --limit 0', 2, '--limit 0: '],
  [`lists diff ${FILE} ${FILE}`, 1, `Can't read ${FILE}`],
  ['lists publish x --key x --targets-days 0', 2, '--targets-days 0: enter a number from 1 to 3650.'],
  [`hts import ${FILE}`, 1, `Can't read ${FILE} (ENOENT). Correct the path.`],
  ['keys list', 1, "doesn't contain a store. Specify the service's data folder"],
  ['keys issue', 2, "Required option '--scope <scope>' not specified. For usage, add --help."],
  ['keys issue --scope everything', 2, '--scope everything: allowed choices are pixel, render, entry, tariff, all.'],
  ['waitlist list --limit 1001', 2, '--limit 1001: enter a number from 1 to 1000.'],
  ['certificates due --within soon', 2, '--within soon: enter a number of days, such as 60d.'],
  ['audit', 1, "doesn't contain a store. Specify the service's data folder"],
  ['doctor --live x', 2, `--live x: ${URL_FORM} https://compliance.example.`],
  ['backup x', 1, "doesn't contain a store. Specify the service's data folder"],
  ['migrate', 1, "doesn't contain a store. Specify the service's data folder"],
  [`restore ${FILE}`, 1, `Can't read ${FILE} (ENOENT). Specify a backup file or a backup folder.`],
  ['egress --port 99999', 2, '--port 99999: enter a number from 0 to 65535.'],
  ['completion csh', 2, 'Allowed choices are bash, zsh, fish.'],
  ['setup systemd --host https://x --contact https://x', 2, '--host https://x: enter only a lowercase hostname'],
  ['upgrade now', 2, "Too many arguments for 'upgrade'. Expected 0 arguments but got 1: now. For usage, add --help."],
  ['serve --base-url compliance', 2, `--base-url compliance: ${URL_FORM} https://compliance.example.`],
  ['serve --trusted-proxies ten', 2, '--trusted-proxies ten: enter a number from 0 to 9.'],
  ['serve --v0-sunset 2026-01-01', 2, 'Specify --v0-deprecated and --v0-sunset together'],
  [`serve --env-file ${FILE}`, 1, `Can't read the settings in ${FILE} (ENOENT). Correct the path.`],
  [`serve --config ${FILE}`, 1, `Can't read the settings in ${FILE} (ENOENT). Correct the path.`],
];

describe('compliance', () => {
  it.each(FAILURES)(
    'prints one line with the problem and the fix, and exits with a documented code: compliance %s',
    async (args, exitCode, message) => {
      const missing = join(temporaryFolder(), 'none');
      const outcome = await runCli(args.split(' '), { env: { COMPLIANCE_DATA: missing } });
      expect(outcome).toMatchObject({ exitCode, stderr: expect.stringContaining(message), stdout: '' });
      expect(outcome.stderr).toMatch(/^compliance: (?!error\b)[^\n]+(\.|: compliance [\w -]+)\n$/);
    },
  );

  it('has at least one error test for every command', () => {
    const checked = new Set(FAILURES.map(([args]) => args.split(' ')[0]));
    expect(COMMANDS.map(({ name }) => name).filter(name => !checked.has(name))).toEqual([]);
  });

  it('names the environment variable that contains an invalid value', async () => {
    const { exitCode, stderr } = await runCli(['serve'], { env: { COMPLIANCE_PORT: '99999' } });
    expect([exitCode, stderr]).toEqual([2, 'compliance: COMPLIANCE_PORT 99999: enter a number from 0 to 65535.\n']);
  });

  it('uses exactly the exit codes that the help and the README describe', async () => {
    const { stdout } = await runCli(['--help']);
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const ofReadme = [...readme.matchAll(/^- (\d): /gm)].map(([, code]) => Number(code));
    expect(
      [...stdout.slice(stdout.indexOf('Exit codes:')).matchAll(/^ {2}(\d) /gm)].map(([, code]) => Number(code)),
    ).toEqual(ofReadme);
    expect([...new Set([0, ...FAILURES.map(([, exitCode]) => exitCode)])].sort()).toEqual(ofReadme);
  });

  it('prints the release version if an error is caused by a bug', async () => {
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
      throw new TypeError('no clock');
    });
    const outcome = await runCli(['lookup', '7318.15.2061']);
    clock.mockRestore();
    expect(outcome).toMatchObject({ exitCode: 1 });
    expect(outcome.stderr).toMatch(
      /^compliance: Unexpected error in release [\d.]+\. This is a bug\. Report the bug, and include this text:\nTypeError: no clock\n/,
    );
  });
});

describe('--quiet', () => {
  const { isTTY } = process.stderr;
  afterEach(() => {
    process.stderr.isTTY = isTTY;
  });

  it('hides the warning about a key without delegate access, but still prints the key', async () => {
    const data = await folderWithStore();
    const loud = await runCli(['keys', 'issue', '--scope', 'all', '--data', data]);
    expect(loud.stderr).toContain('Warning:');
    for (const args of [
      ['-q', 'keys', 'issue', '--scope', 'all'],
      ['keys', 'issue', '--scope', 'all', '--quiet'],
    ]) {
      const quiet = await runCli([...args, '--data', data]);
      expect(quiet).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringContaining('cmpl_live_all_') });
    }
  });

  it('hides the progress bar and the summary of a bulk lookup, but not errors', async () => {
    const folder = temporaryFolder();
    const csv = join(folder, 'codes.csv');
    writeFileSync(csv, `hts\n${'7318.15.2061\n'.repeat(10_001)}`);
    process.stderr.isTTY = true;
    const args = ['lookup', '--csv', csv, '--column', 'hts', '--out', join(folder, 'out.csv')];
    const loud = await runCli(args);
    expect(loud.stderr).toContain('10,001');
    expect(await runCli([...args, '--quiet'])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    const failed = await runCli([...args, '--quiet', '--fail-on', 'hit']);
    expect(failed).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^compliance: 10,001 of 10,001 results match/),
    });
  });

  it('hides the progress message with the URL being scanned, but still prints errors', async () => {
    process.stderr.isTTY = true;
    expect((await runCli(['scan', 'http://127.0.0.1:9/'])).stderr).toContain('Reading http://127.0.0.1:9/ …');
    expect((await runCli(['scan', 'http://127.0.0.1:9/', '--quiet'])).stderr).toMatch(
      /^compliance: Can't scan [^\n]+\n$/,
    );
  });
});
