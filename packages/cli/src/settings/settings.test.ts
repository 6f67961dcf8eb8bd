import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { withSettingsTable } from '../../scripts/gen.ts';
import { COMMANDS } from '../commands.gen.ts';
import { folderWithStore, runCli, runCliProcess, temporaryFolder } from '../testing/run-cli.ts';
import { loadSettings } from './load-settings.ts';
import { keyOf, SETTING_NAMES, SETTINGS, type Setting } from './settings.ts';

/** Writes a configuration file and returns its path. */
function configFile(content: unknown): string {
  const file = join(temporaryFolder(), 'compliance.config.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Loads a configuration file and returns the resulting environment. */
function loaded(content: unknown, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  loadSettings({ config: configFile(content) }, env);
  return env;
}

describe('the settings table', () => {
  it('matches the README (if not, run `pnpm gen`)', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    expect(readme).toContain('| environment variable');
    expect(withSettingsTable(readme)).toBe(readme);
  });

  it('contains every option with an environment variable, and every serve option', async () => {
    const commands = await Promise.all(COMMANDS.map(async ({ load }) => (await load()).default));
    const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
    const options = commands.flatMap(all).flatMap(command => command.options.map(option => ({ command, option })));
    const found = options.flatMap(({ option }) => (option.envVar ? [`${option.envVar} ${option.flags}`] : []));
    const expected = SETTING_NAMES.flatMap(name => {
      const { flags }: Setting = SETTINGS[name];
      return flags ? [`${name} ${flags}`] : [];
    });
    expect([...new Set(found)].sort()).toEqual(expected.sort());
    const ofServe = options.filter(({ command }) => command.name() === 'serve');
    expect(ofServe.filter(({ option }) => !option.envVar)).toEqual([]);
  });

  it('gives every setting a unique key', () => {
    expect(new Set(SETTING_NAMES.map(keyOf)).size).toBe(SETTING_NAMES.length);
  });
});

describe('the configuration file', () => {
  it('supports every type of setting', () => {
    expect(
      loaded({ databaseUrl: 'postgres://db/x', port: 0, drainDelay: 2.5, log: 'info', egress: 'http://egress:8788' }),
    ).toEqual({
      DATABASE_URL: 'postgres://db/x',
      COMPLIANCE_PORT: '0',
      COMPLIANCE_DRAIN_DELAY: '2.5',
      COMPLIANCE_LOG: 'info',
      COMPLIANCE_EGRESS: 'http://egress:8788',
    });
  });

  it('has lower precedence than command-line options, the environment, and the environment file', async () => {
    const [inFile, inConfig, inEnv] = ['none-of-env-file', 'none-of-config', 'none-of-environment'];
    const envFile = join(temporaryFolder(), 'compliance.env');
    writeFileSync(envFile, `COMPLIANCE_DATA=${inFile}\nCOMPLIANCE_PORT=\nDATABASE_URL=\n`);
    const list = async (args: string[], env = {}) => (await runCli([...args, 'keys', 'list'], { env })).stderr;
    const config = ['--config', configFile({ data: inConfig })];
    expect(await list(config)).toContain(inConfig);
    expect(await list([...config, '--env-file', envFile])).toContain(inFile);
    expect(await list([...config, '--env-file', envFile], { COMPLIANCE_DATA: inEnv })).toContain(inEnv);
    expect(await list(config, { COMPLIANCE_DATA: '' })).toContain(inConfig);
    const folder = await folderWithStore();
    const option = ['--config', config[1]!, 'keys', 'list', '--data', folder];
    expect(await runCli(option, { env: { COMPLIANCE_DATA: inEnv } })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('can be specified with --config after the command or in COMPLIANCE_CONFIG, and is never loaded automatically', async () => {
    const data = await folderWithStore();
    const config = configFile({ data });
    expect(await runCli(['keys', 'list', '--config', config])).toMatchObject({ exitCode: 0 });
    expect(await runCli(['keys', 'list'], { env: { COMPLIANCE_CONFIG: config } })).toMatchObject({ exitCode: 0 });
    expect(await runCliProcess(['keys', 'list'], { cwd: dirname(config) })).toMatchObject({ exitCode: 1 });
  });

  it('can be specified in the environment file', () => {
    const envFile = join(temporaryFolder(), 'compliance.env');
    writeFileSync(envFile, `COMPLIANCE_CONFIG=${configFile({ port: 9000, data: 'config' })}\nCOMPLIANCE_DATA=file\n`);
    const env: NodeJS.ProcessEnv = {};
    loadSettings({ envFile }, env);
    expect(env).toMatchObject({ COMPLIANCE_PORT: '9000', COMPLIANCE_DATA: 'file' });
  });

  it.each([
    ['bseUrl', 'Did you mean baseUrl?'],
    ['base-url', 'Did you mean baseUrl?'],
    ['COMPLIANCE_BASE_URL', 'Did you mean baseUrl?'],
    ['trustedProxy', 'Did you mean trustedProxies?'],
    ['prot', 'Did you mean port?'],
    ['favoriteColor', 'The README of @compliance/cli lists all settings.'],
    ['constructor', 'The README of @compliance/cli lists all settings.'],
    ['__proto__', 'The README of @compliance/cli lists all settings.'],
  ])('rejects the unknown key %s with the advice: %s', (key, advice) => {
    expect(() => loaded(`{ ${JSON.stringify(key)}: "x" }`)).toThrow(`${key}: Unknown setting. ${advice}`);
  });

  it.each<[unknown, string]>([
    [{ port: '8787' }, 'port: Enter a number from 0 to 65535.'],
    [{ port: 65_536 }, 'port: Enter a number from 0 to 65535.'],
    [{ port: 1.5 }, 'port: Enter a number from 0 to 65535.'],
    [{ drainTimeout: 601 }, 'drainTimeout: Enter a number of seconds from 0 to 600.'],
    [{ data: 7 }, 'data: Enter text in quotation marks.'],
    [{ data: null }, 'data: Enter text in quotation marks.'],
    [{ data: '' }, 'data: Enter at least one character.'],
    [{ log: 'loud' }, 'log: Enter info, error, or silent.'],
    [{ baseUrl: 'ftp://x' }, 'baseUrl: Enter a URL such as https://compliance.example.'],
    [{ egress: 'http://user@egress:8788' }, 'egress: Enter a URL such as http://egress:8788.'],
    [{ egress: 'http://egress:8788/path' }, 'egress: Enter a URL such as http://egress:8788.'],
    [['port'], 'Enter an object, such as { "port": 8787 }.'],
    ['{ "port": 8787', `isn't valid JSON`],
  ])('rejects %j with the message: %s', (content, message) => {
    expect(() => loaded(content)).toThrow(message);
  });

  it('lists all problems and never shows a value', async () => {
    const secret = 's3cret-value';
    const config = configFile({ operatorSecert: secret, port: secret, databaseUrl: { password: secret } });
    const broken = configFile(`{ "operatorSecret": ${secret}`);
    const outcome = await runCli(['--config', config, 'keys', 'list']);
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(outcome.stderr.split('\n').slice(1, 4).sort()).toEqual([
      '  databaseUrl: Enter text in quotation marks.',
      '  operatorSecert: Unknown setting. Did you mean operatorSecret?',
      '  port: Enter a number from 0 to 65535.',
    ]);
    for (const { stderr } of [outcome, await runCli(['--config', broken, 'keys', 'list'])])
      expect(stderr).not.toContain(secret);
  });
});
