import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { guideCommands } from '../../../scripts/guide/guide-commands.ts';
import { createProgram } from '../../program.ts';
import { linkKeys } from '../../secrets/link-keys.ts';
import { operatorSecret } from '../../secrets/operator-secret.ts';
import { systemdFiles } from '../../setup/systemd.ts';
import { expectRefusal, runCli, startService, temporaryFolder } from '../../testing/run-cli.ts';

const DEPLOYMENT = ['--host', 'compliance.example', '--contact', 'mailto:you@compliance.example'];

/** Creates a folder that represents a machine's root folder, with Node.js installed. */
function machine(): string {
  const root = temporaryFolder();
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  symlinkSync(process.execPath, join(root, 'usr/bin/node'));
  return root;
}

const filesIn = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));

function parseSettings(path: string): Record<string, string> {
  return Object.fromEntries(
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map(line => line.split(/=(.*)/s, 2)),
  );
}

describe('compliance setup systemd', () => {
  it('writes a health check for the port in the settings', async () => {
    const files = systemdFiles({
      host: 'compliance.example',
      contact: 'mailto:you@compliance.example',
      node: process.execPath,
    });
    const unit = files.find(({ path }) => path.endsWith('compliance-health.service'))!.text;
    const [, check] = /^ExecStart=(.+)$/m.exec(unit)!;
    const server = createServer((request, response) => response.writeHead(request.url === '/readyz' ? 200 : 404).end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const exitCode = async () =>
      (await once(spawn('sh', ['-c', check!], { env: { COMPLIANCE_PORT: `${port}` } }), 'close'))[0];
    expect(await exitCode()).toBe(0);
    await new Promise(closed => server.close(closed));
    expect(await exitCode()).toBe(1);
  });

  it('writes settings with strong secrets that only root can read, and never prints a secret', async () => {
    const root = machine();
    const dry = await runCli(['setup', 'systemd', ...DEPLOYMENT, '--root', root, '--dry-run']);
    expect([dry.exitCode, filesIn(root)]).toEqual([0, []]);
    expect(dry.stdout).toContain('OPERATOR_SECRET=<generated>');
    const made = await runCli(['setup', 'systemd', ...DEPLOYMENT, '--root', root]);
    expect(made).toMatchObject({ exitCode: 0, stderr: '' });
    const file = join(root, 'etc/compliance/compliance.env');
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    const settings = parseSettings(file);
    const env = { ...settings, NODE_ENV: 'production' };
    expect(operatorSecret('/none', env).origin).toBe('in OPERATOR_SECRET');
    expect(linkKeys('/none', env).active).toBe('k1');
    for (const output of [dry.stdout, made.stdout])
      for (const name of ['OPERATOR_SECRET', 'LINK_KEYS']) expect(output).not.toContain(settings[name]);
    expect((statSync(join(root, 'usr/local/bin/compliance')).mode & 0o777).toString(8)).toBe('755');
  });

  it('shows differences instead of replacing files, and with --overwrite, replaces all files except the settings', async () => {
    const root = machine();
    const args = ['setup', 'systemd', ...DEPLOYMENT, '--root', root];
    await runCli(args);
    const unit = join(root, 'etc/systemd/system/compliance.service');
    const settings = join(root, 'etc/compliance/compliance.env');
    const [original, secrets] = [unit, settings].map(path => readFileSync(path, 'utf8'));
    writeFileSync(unit, original!.replace('UMask=0077', 'UMask=0022'));
    await expectRefusal(args, /- UMask=0022\n.*\+ UMask=0077\n[\s\S]*Nothing was written/);
    const replaced = await runCli([...args, '--overwrite']);
    expect(replaced.stdout).toMatch(/keep +\/etc\/compliance\/compliance\.env[\s\S]*replace +\S+compliance\.service/);
    expect([unit, settings].map(path => readFileSync(path, 'utf8'))).toEqual([original, secrets]);
  });

  it('rejects an invalid host, an invalid contact, and an unusable Node.js executable', async () => {
    const root = machine();
    const run = (...args: string[]) => ['setup', 'systemd', ...args, '--root', root];
    await expectRefusal(
      run('--host', 'https://compliance.example', '--contact', 'mailto:a@b.example'),
      'enter only a lowercase hostname',
    );
    await expectRefusal(run('--host', 'x$(id)', '--contact', 'mailto:a@b.example'), 'enter only a lowercase hostname');
    await expectRefusal(run('--host', 'a.example', '--contact', 'mailto:$(id)@b.example'), '--contact');
    const old = join(root, 'old-node');
    writeFileSync(old, '#!/bin/sh\necho v20.20.2\n');
    chmodSync(old, 0o755);
    await expectRefusal(run(...DEPLOYMENT, '--node', '/old-node'), 'is version 20.20.2. Install Node.js');
    await expectRefusal(run(...DEPLOYMENT, '--node', '/none'), "Can't run");
    expect(existsSync(join(root, 'etc'))).toBe(false);
  });

  const hasAnalyzer = spawnSync('systemd-analyze', ['--version']).status === 0;
  const name = 'writes units whose exposure is below 3.0';
  it.skipIf(!hasAnalyzer)(hasAnalyzer ? name : `${name} (skipped: no systemd-analyze on this machine)`, async () => {
    const root = machine();
    await runCli(['setup', 'systemd', ...DEPLOYMENT, '--root', root]);
    for (const unit of ['compliance', 'compliance-backup', 'compliance-health']) {
      const args = ['security', '--offline=true', `--root=${root}`, '--no-pager', `${unit}.service`];
      const { stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
      const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
      expect([unit, Number(exposure) < 3, stderr]).toEqual([unit, true, '']);
    }
  });
});

describe('compliance setup compose', () => {
  it('writes every setting that compose.yaml requires, and keeps an existing .env', async () => {
    const folder = temporaryFolder();
    const args = ['setup', 'compose', folder, ...DEPLOYMENT];
    await expectRefusal(args, "doesn't contain compose.yaml");
    const compose = readFileSync(new URL('../../../../../compose.yaml', import.meta.url), 'utf8');
    writeFileSync(join(folder, 'compose.yaml'), compose);
    const { exitCode, stdout } = await runCli(args);
    const settings = parseSettings(join(folder, '.env'));
    // A variable with an empty default, such as ${OTEL_TRACES_SAMPLER:-}, is optional.
    const required = new Set(
      [...compose.matchAll(/\$\{([A-Z0-9_]+)(?=[}:])(?!:-\})/g)].map(([, variable]) => variable!),
    );
    expect([exitCode, Object.keys(settings).sort()]).toEqual([0, [...required].sort()]);
    expect((statSync(join(folder, '.env')).mode & 0o777).toString(8)).toBe('600');
    expect((statSync(join(folder, 'backups')).mode & 0o777).toString(8)).toBe('700');
    for (const [variable, value] of Object.entries(settings))
      if (!/HOST|CONTACT/.test(variable)) expect(stdout).not.toContain(value);
    const again = await runCli(args);
    expect(again.stdout).toContain('keep ');
    expect(parseSettings(join(folder, '.env'))).toEqual(settings);
  });
});

describe('the self-hosting guide', () => {
  const commands = guideCommands();

  it('covers installation, key issuance, backups, upgrades, and restores, in that order, for both deployment types', () => {
    const sections = (way: string) => [
      ...new Set(commands.filter(command => command.way === way).map(({ section }) => section)),
    ];
    expect(sections('systemd')).toEqual(['Deploy with systemd', 'Back up', 'Upgrade', 'Restore']);
    expect(sections('compose')).toEqual(['Deploy with Docker Compose', 'Back up', 'Upgrade', 'Restore']);
    const issuing = commands.filter(({ line }) => line.includes('keys issue'));
    expect(issuing.map(({ section }) => section)).toEqual([sections('compose')[0], sections('systemd')[0]]);
  });

  const ours = commands.flatMap(
    ({ line }) =>
      /(?:^|[ /])(?:compliance|main\.js|app) ((?:backup|doctor|keys|restore|setup|upgrade)\b.*)$/.exec(line)?.[1] ?? [],
  );

  it('contains more than a dozen compliance commands', () => expect(ours.length).toBeGreaterThan(12));

  it.each([...new Set(ours)])('uses only existing commands and options: compliance %s', async line => {
    const words = line.split(' ');
    let command: Command = await createProgram(words);
    while (words.length > 0) {
      const next = command.commands.find(each => each.name() === words[0]);
      if (!next) break;
      command = next;
      words.shift();
    }
    // Parsing changes a command's option values, and other tests use the same command, so parse with a copy.
    const parser = new Command();
    for (const option of command.options) parser.addOption(option);
    const { operands, unknown } = parser.parseOptions(words);
    expect([line, unknown, command.commands.length]).toEqual([line, [], 0]);
    const required = command.registeredArguments.filter(argument => argument.required).length;
    expect(operands.length).toBeGreaterThanOrEqual(required);
    expect(operands.length).toBeLessThanOrEqual(command.registeredArguments.length);
  });

  it('provides commands that work as written, without root, for a service in a temporary folder', {
    timeout: 180_000,
  }, async () => {
    const root = machine();
    const here = (line: string) => line.replaceAll(' /var/', ` ${root}/var/`).split(' ');
    const linesOf = (wanted: string) =>
      commands.flatMap(({ way, section, line }) =>
        way === 'systemd' && section === wanted && line.startsWith('compliance ') ? [here(line).slice(1)] : [],
      );
    await runCli(['setup', 'systemd', ...DEPLOYMENT, '--root', root]);
    const dataDir = join(root, 'var/lib/compliance');
    const env = { ...parseSettings(join(root, 'etc/compliance/compliance.env')), COMPLIANCE_DATA: dataDir };
    const succeed = async (lines: string[][]) => {
      for (const line of lines) expect(await runCli(line, { env }), line.join(' ')).toMatchObject({ exitCode: 0 });
    };
    const first = await startService(['--data', dataDir], env);
    await succeed([...linesOf('Deploy with systemd'), ...linesOf('Back up'), ...linesOf('Back up')]);
    await first.stop();
    renameSync(dataDir, `${dataDir}.old`);
    await succeed(linesOf('Restore').slice(0, 1));
    const second = await startService(['--data', dataDir], env);
    await succeed(linesOf('Restore').slice(1));
    expect((await runCli(['keys', 'list'], { env })).stdout).toContain('delegate:on');
    await second.stop();
  });

  it('mentions only units that setup writes', () => {
    const files = systemdFiles({ host: 'a.example', contact: 'mailto:a@b.example', node: '/usr/bin/node' });
    const paths = files.map(({ path }) => path);
    for (const { line } of commands.filter(({ way }) => way === 'systemd')) {
      for (const [unit] of line.matchAll(/compliance[\w-]*\.(?:service|timer)/g))
        expect(paths).toContain(`/etc/systemd/system/${unit}`);
    }
  });
});
