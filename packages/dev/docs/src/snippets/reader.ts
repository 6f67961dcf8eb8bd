import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { REPOSITORY_ROOT } from '../pages/pages.ts';

/** Time limit for running a page's code, shorter than the page's test timeout. */
const RUN_TIMEOUT_MS = 280_000;

const HERE = import.meta.dirname;
const PACKAGE = join(HERE, '../..');
const CLIENTS = join(REPOSITORY_ROOT, 'packages/clients');
const PNPM: string = JSON.parse(readFileSync(join(REPOSITORY_ROOT, 'package.json'), 'utf8')).packageManager;

/** Folder that contains the official texts for the worked example. */
const OFFICIAL_TEXTS = 'docs/guides/note-44';

/** A program's exit code and output. */
interface Outcome {
  exitCode: number | null;
  /** Combined standard output and standard error. */
  output: string;
}

/** Packages that a reader has installed. By default, a reader's packages run from this repository's source code. */
export interface Installation {
  /** Folder with the installed npm packages. */
  modules: string;
  /** Path to the Node executable. */
  node: string;
  /** Path to the Python executable. */
  python: string;
  /** Go toolchain, such as `go1.21.13`; module proxies; and the Go client version, which one of the proxies serves. */
  go: { toolchain: string; proxies: string; version: string };
}

/** Simulated reader who follows a page in a temporary folder that looks like a checkout of the repository. */
export interface Reader {
  folder: string;
  /** Runs a page's shell blocks in sequence in one shell. */
  shell(blocks: readonly string[]): Promise<Outcome>;
  /** Runs a page's blocks as one program. */
  program(language: 'js' | 'python' | 'go', blocks: readonly string[]): Promise<Outcome>;
  /** Returns the commands that were skipped because they can't run in tests. */
  leftOut(): string[];
  close(): void;
}

/**
 * Creates a reader with a temporary folder that looks like a checkout of the repository.
 *
 * @param env a service's URL and an API key, for pages that call the service
 * @param installation packages to use instead of the source code
 */
export async function createReader(env: { base: string; key: string }, installation?: Installation): Promise<Reader> {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-reader-'));
  copyFiles(folder);
  if (installation) symlinkSync(installation.modules, join(folder, 'node_modules'));
  else linkModules(folder);
  const ports = [await freePort(), await freePort()];
  const { DATABASE_URL: _, FORCE_COLOR: __, BASE_URL: ___, NODE_ENV: ____, VITEST: _____, ...inherited } = process.env;
  const bins = [
    dirname(process.execPath),
    join(PACKAGE, 'node_modules/.bin'),
    join(REPOSITORY_ROOT, 'node_modules/.bin'),
  ];
  const environment = {
    ...inherited,
    PATH: [...bins, process.env.PATH].join(delimiter),
    ...(!installation && { NODE_OPTIONS: '--conditions=@compliance/source' }),
    ...(!installation && { PYTHONPATH: join(CLIENTS, 'python/src') }),
    ...(installation && {
      GOPROXY: installation.go.proxies,
      ...{
        GONOSUMDB: 'github.com/portfolio-compliance/*',
        GOFLAGS: '-mod=mod',
        GOTOOLCHAIN: installation.go.toolchain,
      },
    }),
    NO_COLOR: '1',
    COLUMNS: '100',
    COMPLIANCE_BASE_URL: env.base,
    COMPLIANCE_API_KEY: env.key,
    PYTHONDONTWRITEBYTECODE: '1',
    ...{ WORLD: folder, CHECKOUT: REPOSITORY_ROOT, PNPM, PORT: String(ports[0]), KEY: env.key },
    CLI: installation
      ? join(installation.modules, '@compliance/cli/dist/main.js')
      : join(REPOSITORY_ROOT, 'packages/cli/src/main.ts'),
  };
  /** Replaces the page's ports, system folders, and API key with those of the simulated reader. */
  const own = (code: string) =>
    code
      .replaceAll('8787', String(ports[0]))
      .replaceAll('8788', String(ports[1]))
      .replaceAll(' /var/', ' $WORLD/var/')
      .replaceAll('<API_KEY>', `'"$KEY"'`);

  const run = (command: string, args: string[]) =>
    new Promise<Outcome>((resolve, reject) => {
      // Start a separate process group, so that the timeout also kills any processes that the code starts.
      const child = spawn(command, args, { cwd: folder, env: environment, detached: true });
      let output = '';
      const timer = setTimeout(() => {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        reject(new Error(`${command} didn't finish within ${RUN_TIMEOUT_MS / 1000} s. Its output:\n${output}`));
      }, RUN_TIMEOUT_MS);
      child.on('close', () => clearTimeout(timer)).on('error', () => clearTimeout(timer));
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', text => (output += text));
      child.on('error', reject).on('close', exitCode => resolve({ exitCode, output }));
    });

  return {
    folder,
    async shell(blocks) {
      const outside = blocks
        .map(own)
        .join('\n')
        .match(/(?<=\s)\/(?!dev\/null)\S+/);
      if (outside) throw new Error(`${outside[0]} is a system path. Mark the block with no-run.`);
      writeFileSync(
        join(folder, 'page.sh'),
        [readFileSync(join(HERE, 'machine.sh'), 'utf8'), ...blocks.map(own)].join('\n'),
      );
      const stop = 'for pid in $(cat pids 2> /dev/null); do kill "$pid"; done';
      return await run('sh', ['-c', `sh page.sh < /dev/null; status=$?; ${stop}; exit $status`]);
    },
    async program(language, blocks) {
      const code = blocks.join('\n').replaceAll('8787', String(ports[0]));
      if (language === 'python') return await run(installation?.python ?? 'python3', ['-c', code]);
      if (language === 'go')
        return await run('go', ['run', '-ldflags=-s -w', goProgram(folder, code, installation?.go.version)]);
      // Strip the types, because older Node versions can't run TypeScript.
      writeFileSync(join(folder, 'page.mjs'), stripTypeScriptTypes(code));
      const node = installation?.node ?? process.execPath;
      return await run(node, ['--no-warnings', '--import', join(HERE, 'unref-servers.mjs'), 'page.mjs']);
    },
    leftOut() {
      const file = join(folder, 'left-out');
      return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Copies the examples and the official texts, and creates the service's folders. */
function copyFiles(folder: string): void {
  const examples = join(REPOSITORY_ROOT, 'examples');
  cpSync(examples, join(folder, 'examples'), { recursive: true, filter: from => !from.includes('node_modules') });
  cpSync(join(REPOSITORY_ROOT, OFFICIAL_TEXTS), join(folder, OFFICIAL_TEXTS), { recursive: true });
  for (const place of ['var/lib', 'var/backups']) mkdirSync(join(folder, place), { recursive: true });
}

/** Links the repository's packages and the examples' dependencies. */
function linkModules(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  const installed = join(PACKAGE, 'node_modules');
  for (const name of readdirSync(installed)) {
    if (name !== '.bin') symlinkSync(join(installed, name), join(modules, name));
  }
  symlinkSync(join(REPOSITORY_ROOT, 'node_modules/.bin'), join(modules, '.bin'));
  symlinkSync(join(REPOSITORY_ROOT, 'examples/node_modules'), join(folder, 'examples/node_modules'));
}

/**
 * Combines a page's code into a program and adds the imports that an editor would add. Without a version, the program
 * uses the client's source code.
 */
function goProgram(folder: string, code: string, version?: string): string {
  const client = 'github.com/portfolio-compliance/compliance-go';
  const source = version === undefined ? `replace ${client} => ${CLIENTS}/go\n` : '';
  writeFileSync(join(folder, 'go.mod'), `module page\ngo 1.21\nrequire ${client} ${version ?? 'v0.0.0'}\n${source}`);
  const standard = Object.fromEntries(
    ['context', 'encoding/base64', 'errors', 'fmt', 'io', 'log', 'net/http', 'os', 'strings', 'time'].map(path => [
      path.split('/').at(-1)!,
      path,
    ]),
  );
  const known = { compliance: client, ...standard };
  const imports = Object.entries(known).filter(([name]) => new RegExp(`\\b${name}\\.`).test(code));
  const lines = imports.map(([name, path]) => `import ${name} "${path}"`);
  writeFileSync(join(folder, 'page.go'), `package main\n${lines.join('\n')}\nfunc main() {\n${code}\n}\n`);
  return 'page.go';
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}
