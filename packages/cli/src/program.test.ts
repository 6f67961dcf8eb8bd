import { spawnSync } from 'node:child_process';
import { chownSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPostgres } from '@compliance/store/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commandList } from '../scripts/gen.ts';
import { COMMANDS } from './commands.gen.ts';
import { createProgram } from './program.ts';
import { expectRefusal, folderWithStore, runCli, runCliProcess, temporaryFolder } from './testing/run-cli.ts';

it('lists every file in commands/ in commands.gen.ts (if not, run `pnpm gen`)', async () => {
  expect(readFileSync(new URL('commands.gen.ts', import.meta.url), 'utf8')).toBe(await commandList());
});

it('shows every command and its description in the help', async () => {
  const { exitCode, stdout } = await runCliProcess(['--help']);
  expect(exitCode).toBe(0);
  const help = stdout.replace(/\s+/g, ' ');
  for (const { name } of COMMANDS) expect(help).toMatch(new RegExp(` ${name}\\b`));
  for (const { description } of COMMANDS) expect(help).toContain(description);
});

it('prints the release version', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(await runCli(['--version'])).toMatchObject({ exitCode: 0, stdout: `${version}\n` });
});

it('loads only the command selected by the arguments', async () => {
  const program = await createProgram(['lookup', '7318.15.2061', 'serve']);
  const loaded = program.commands.filter(command => command.options.length > 0 || command.commands.length > 0);
  expect(loaded.map(command => command.name())).toEqual(['lookup']);
});

it('loads only the selected command in a group, or all of the group’s commands to show the group’s help', async () => {
  const loadedIn = async (...args: string[]) => {
    const program = await createProgram(args);
    const group = program.commands.find(command => command.name() === 'keys')!;
    return group.commands.filter(({ options }) => options.length > 0).map(command => command.name());
  };
  expect(await loadedIn('keys', 'list')).toEqual(['list']);
  expect(await loadedIn('help', 'keys', 'usage')).toEqual(['usage']);
  expect((await loadedIn('keys', '--help')).length).toBeGreaterThan(4);
});

describe('compliance on an unsupported Node.js version', () => {
  const start = (version: string) => {
    const check = new URL('../scripts/require-node.mjs', import.meta.url).href;
    const code = `Object.defineProperty(process.versions, 'node', { value: '${version}' }); await import('${check}')`;
    return spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
  };

  it('prints the required Node.js version instead of a syntax or file extension error', () => {
    expect(start('20.20.2')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^This project requires Node\.js \d+\.\d+ or later, but you're running Node\.js 20\.20\.2\. /,
      ),
    });
    expect(start('99.0.0')).toMatchObject({ status: 0, stderr: '' });
  });

  it('states the required Node.js version when the published command fails', () => {
    const main = new URL('main.ts', import.meta.url).href;
    const code = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' }); await import('${main}')`;
    const args = ['--conditions=@compliance/source', '--input-type=module', '--eval', code];
    expect(spawnSync(process.execPath, args, { encoding: 'utf8' })).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^compliance: This command requires Node\.js \d+\.\d+ or later, but you're running Node\.js 20\.20\.2\. Install Node\.js \d+\.\d+ or later\.\n$/,
      ),
    });
  });

  it('states the required Node.js version in its documentation', () => {
    const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
    const required = JSON.parse(read('packages/cli/package.json')).engines.node.replace('>=', '');
    for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/guides/self-host.md'])
      expect(read(page)).toContain(`Node ${required} or later`);
  });
});

describe('settings', () => {
  it('reads options from the environment, treats an empty variable as unset, and prefers the command line', async () => {
    const folder = await folderWithStore();
    const env = { COMPLIANCE_DATA: folder, COMPLIANCE_PORT: '', COMPLIANCE_BASE_URL: '' };
    expect(await runCliProcess(['keys', 'list'], { env })).toMatchObject({ exitCode: 0, stderr: '' });
    const port = await runCliProcess(['serve'], { env: { ...env, COMPLIANCE_PORT: '99999' } });
    expect(port).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('from 0 to 65535') });
    const log = await runCli(['serve'], { env: { ...env, COMPLIANCE_LOG: 'loud' } });
    expect(log).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('COMPLIANCE_LOG') });
    const other = await runCli(['keys', 'list', '--data', join(folder, 'typo')], { env });
    expect(other).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('typo') });
  });
});

describe('a command that needs an existing store', () => {
  const commands = [
    ['keys', 'issue', '--scope', 'all'],
    ['keys', 'list'],
    ['keys', 'usage'],
    ['keys', 'rotate', 'key_1'],
    ['keys', 'revoke', 'key_1'],
    ['keys', 'update', 'key_1', '--note', 'x'],
    ['waitlist', 'list'],
    ['waitlist', 'approve', 'req_1'],
    ['waitlist', 'decline', 'req_1'],
    ['certificates', 'find'],
    ['certificates', 'show', 'x'],
    ['certificates', 'void', 'x', '--reason', 'x'],
    ['audit'],
    ['backup', 'unused-backups'],
  ];

  it('refuses to create a store and explains how to select the service’s data folder', async () => {
    const folder = temporaryFolder();
    for (const command of commands) {
      await expectRefusal(
        [...command, '--data', join(folder, 'data')],
        `${join(folder, 'data')} doesn't contain a store. Specify the service's data folder with --data or COMPLIANCE_DATA`,
      );
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it.skipIf(process.getuid?.() !== 0)(
    process.getuid?.() === 0
      ? 'refuses to use another user’s data folder and names that user'
      : 'refuses to use another user’s data folder and names that user (skipped: needs root)',
    async () => {
      const folder = await folderWithStore();
      chownSync(join(folder, 'compliance.sqlite'), 1, 1);
      const { exitCode, stderr } = await runCli(['keys', 'issue', '--scope', 'all', '--data', folder]);
      expect([exitCode, stderr]).toEqual([
        1,
        `compliance: ${folder} belongs to daemon (UID 1), but this command runs as root (UID 0). Run the command as the data folder's owner.\n`,
      ]);
    },
  );
});

await describeWithPostgres('a command that needs an existing store', startFresh => {
  it('refuses to create tables in an empty database', async () => {
    const { url, stop } = await startFresh();
    onTestFinished(stop);
    const { exitCode, stderr } = await runCli(['keys', 'issue', '--scope', 'all'], { env: { DATABASE_URL: url } });
    expect([exitCode, stderr]).toMatchObject([1, expect.stringMatching(/doesn't contain a store\. Set DATABASE_URL/)]);
  });
});

it('shows a command’s options with help COMMAND and with COMMAND --help', async () => {
  const [help, flag] = await Promise.all([runCli(['help', 'certify']), runCli(['certify', '--help'])]);
  expect(help.stdout).toContain('--template');
  expect(flag).toEqual(help);
});
