// Packs every published package, installs the packages in projects outside this repository, and runs the code from each
// package's README in these projects. Code in a client's README runs in every supported version of the client's
// language, and code in other READMEs runs in Node. The `compliance` commands in the guides run with the installed CLI,
// and the MCP server starts with the configuration from its README. The first run downloads the required Node and Go
// versions.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { installedPythons } from '@compliance/client-vectors/runtimes';
import { startWithStorefronts } from '@compliance/client-vectors/storefronts';
import { packPackages } from '@compliance/workspace/pnpm';
import { PUBLISHED } from '@compliance/workspace/published';
import { pagePaths, REPOSITORY_ROOT, readMarkdownPage } from '../src/pages/pages.ts';
import { blocksOf, type Runner } from '../src/snippets/blocks.ts';
import { createReader, type Installation } from '../src/snippets/reader.ts';

const NODES = ['18.20.8', '20.20.2', '22.23.3', '24.21.0'];
const GOS = ['go1.21.13', 'go1.22.12', 'go1.23.12', 'go1.24.13', 'local'];

const folder = mkdtempSync(join(tmpdir(), 'compliance-readmes-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function run(command: string, args: readonly string[], cwd = folder): string {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Packs the npm packages and installs their tarballs. Returns the folder of the installed packages. */
function installNpmPackages(): string {
  const tarballs = packPackages(['clients/node', ...PUBLISHED], join(folder, 'tarballs'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--silent', ...tarballs]);
  return join(folder, 'node_modules');
}

/** Builds the Python client's wheel and returns its path. */
function buildWheel(): string {
  run('python3', ['-m', 'venv', 'tools']);
  const python = join(folder, 'tools/bin/python');
  run(python, ['-m', 'pip', 'install', '--quiet', 'build==1.6.1']);
  run(python, [
    '-m',
    'build',
    '--wheel',
    '--outdir',
    join(folder, 'wheels'),
    join(REPOSITORY_ROOT, 'packages/clients/python'),
  ]);
  return join(folder, globSync('wheels/*.whl', { cwd: folder })[0]!);
}

/** Installs the wheel in a new virtual environment, and returns the path of the environment's Python executable. */
function installWheel(command: string, version: string, wheel: string): string {
  const venv = join(folder, `python-${version}`);
  run(command, ['-m', 'venv', venv]);
  run(join(venv, 'bin/python'), [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-index',
    '--disable-pip-version-check',
    wheel,
  ]);
  return join(venv, 'bin/python');
}

/** Creates a local module proxy that serves the Go client as if the current version were already released. */
function goProxy(): Installation['go'] {
  const source = join(REPOSITORY_ROOT, 'packages/clients/go');
  const version = `v${/compliance-go\/([\d.]+)"/.exec(readFileSync(join(source, 'exchange.go'), 'utf8'))![1]}`;
  const [, path] = /^module (.+)$/m.exec(readFileSync(join(source, 'go.mod'), 'utf8'))!;
  const proxy = join(folder, 'go-proxy');
  const versions = join(proxy, path!, '@v');
  mkdirSync(versions, { recursive: true });
  writeFileSync(join(versions, 'list'), `${version}\n`);
  writeFileSync(join(versions, `${version}.info`), JSON.stringify({ Version: version, Time: '2026-01-01T00:00:00Z' }));
  cpSync(join(source, 'go.mod'), join(versions, `${version}.mod`));
  // A module archive must not contain folder entries.
  const zip = [
    'import os, sys, zipfile',
    'with zipfile.ZipFile(sys.argv[1], "w") as archive:',
    '    for name in os.listdir(sys.argv[2]):',
    '        archive.write(os.path.join(sys.argv[2], name), sys.argv[3] + "/" + name)',
  ].join('\n');
  run('python3', ['-c', zip, join(versions, `${version}.zip`), source, `${path}@${version}`]);
  const usual = run('go', ['env', 'GOPROXY']).trim();
  return { toolchain: 'local', proxies: `file://${proxy},${usual}`, version };
}

/** Downloads a Node version from the registry and returns its path. */
function downloadNode(version: string): string {
  return run('npx', ['--yes', '-p', `node-linux-${process.arch}@${version}`, '-c', 'command -v node']).trim();
}

/**
 * Starts the MCP server as configured in its README, but from the installed package, and returns the names of its
 * tools.
 */
async function toolsOfConfiguredServer(): Promise<string[]> {
  const { blocks } = readMarkdownPage('packages/mcp/README.md');
  const { mcpServers } = JSON.parse(blocks.find(({ lang }) => lang === 'json')!.value) as {
    mcpServers: { compliance: { command: string; args: string[] } };
  };
  const { command, args } = mcpServers.compliance;
  const server = spawn(command, ['--no', ...args.filter(arg => arg !== '-y')], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'readmes', version: '1.0.0' };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const { id, result } = JSON.parse(line) as { id?: number; result?: { tools: { name: string }[] } };
      if (id === 1) {
        send({ method: 'notifications/initialized' });
        send({ id: 2, method: 'tools/list' });
      } else if (id === 2) return result!.tools.map(({ name }) => name);
    }
    return [];
  } finally {
    server.kill();
  }
}

/** Returns whether a shell block contains only `compliance` commands and system commands. */
const isForInstalledCli = (code: string): boolean => !/pnpm@\S+ (?!-s compliance)|\bnode |\bdocker |esbuild/.test(code);

/** Prints whether a page's code succeeded, and its output if it failed. */
function report(page: string, environment: string, failure: string | null): void {
  process.stdout.write(
    `${page.padEnd(40)} ${environment.padEnd(24)} ${failure === null ? 'ok' : `FAILED:\n${failure}`}\n`,
  );
  if (failure !== null) process.exitCode = 1;
}

const [filter = ''] = process.argv.slice(2);
const service = await startWithStorefronts();
const key = await service.issue('all');
const modules = installNpmPackages();
const go = goProxy();
const base: Installation = { modules, node: process.execPath, python: 'python3', go };
const inNode = [{ name: `Node ${process.versions.node}`, installation: base }];
const wheel = buildWheel();
const PYTHONS = ['3.8', '3.9', '3.10', '3.11', '3.12', '3.13', '3.14'];
const found = await installedPythons();
const pythons = found.map(({ command, version }) => ({
  name: `Python ${version}`,
  installation: { ...base, python: installWheel(command, version, wheel) },
}));
const nodes = NODES.map(version => ({
  name: `Node ${version}`,
  installation: { ...base, node: downloadNode(version) },
}));
const gos = GOS.map(toolchain => ({
  name: toolchain === 'local' ? 'Go, installed version' : toolchain,
  installation: { ...base, go: { ...go, toolchain } },
}));

for (const place of [...PUBLISHED, 'clients/node', 'clients/python', 'clients/go'].filter(place =>
  place.includes(filter),
)) {
  const blocks = blocksOf(readMarkdownPage(`packages/${place}/README.md`)).filter(({ noRun }) => noRun === undefined);
  const environments =
    { 'clients/node': [...nodes, ...inNode], 'clients/python': pythons, 'clients/go': gos }[place] ?? inNode;
  for (const { name, installation } of environments) {
    for (const runner of ['js', 'python', 'go'] as const satisfies readonly Runner[]) {
      const code = blocks.filter(block => block.runner === runner && !block.file).map(block => block.code);
      if (code.length === 0) continue;
      const reader = await createReader({ base: service.base, key }, installation);
      const { exitCode, output } = await reader.program(runner, code);
      reader.close();
      report(place, name, exitCode === 0 ? null : output);
    }
  }
}
for (const path of pagePaths().filter(path => /^docs\/guides\/|^examples\//.test(path) && path.includes(filter))) {
  const blocks = blocksOf(readMarkdownPage(path)).filter(({ noRun }) => noRun === undefined);
  const code = blocks.filter(block => block.runner === 'sh' && !block.file).map(block => block.code);
  // Other commands, such as `pnpm new`, need the repository.
  if (!code.join('\n').includes('compliance ') || !code.every(block => isForInstalledCli(block))) continue;
  const reader = await createReader({ base: service.base, key }, base);
  for (const { file, code } of blocks) if (file) writeFileSync(join(reader.folder, file), code);
  const { exitCode, output } = await reader.shell(code);
  reader.close();
  report(path, 'installed CLI', exitCode === 0 ? null : output);
}
if ('mcp'.includes(filter)) {
  const tools = await toolsOfConfiguredServer();
  report('mcp', 'README configuration', tools.includes('lookup') ? null : `tools: ${tools}`);
}
if ('clients/python'.includes(filter)) {
  for (const version of PYTHONS.filter(version => !found.some(each => `${each.version}.`.startsWith(`${version}.`)))) {
    process.stdout.write(`${'clients/python'.padEnd(40)} ${`Python ${version}`.padEnd(24)} skipped: not installed\n`);
    if (process.env.CI) process.exitCode = 1;
  }
}
await service.stop();
process.exit();
