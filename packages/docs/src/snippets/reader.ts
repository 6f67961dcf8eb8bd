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
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from '../pages/pages.ts';

const HERE = import.meta.dirname;
const PACKAGE = join(HERE, '../..');
const CLIENTS = join(ROOT, 'packages/clients');
const PNPM: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).packageManager;

/** What a reader has downloaded: an export of the HTS in the form of the USITC, and a text of its Chapter 99. Both are short. */
const HTS_EXPORT = [
  { htsno: '8702.10.31', indent: '2', description: 'Designed for the transport of 16 or more persons', general: '2%' },
  { htsno: '9903.82.09', indent: '0', description: 'As provided in U.S. note 16', general: 'Free + 25%' },
];
const CHAPTER_99 = '38. (c) Buses, in a part of the text:\n8702.10.31  8702.10.61\n';

/** What a program came to. */
interface Outcome {
  exitCode: number | null;
  /** What it printed, errors among it. */
  output: string;
}

/** Somebody who follows a page, in a folder of their own that looks like a checkout. */
export interface Reader {
  folder: string;
  /** Runs the shell blocks of a page, one after the other in one shell. */
  shell(blocks: readonly string[]): Promise<Outcome>;
  /** Runs the blocks of a page as one program. */
  program(language: 'js' | 'python' | 'go', blocks: readonly string[]): Promise<Outcome>;
  /** What the shell blocks asked for and this machine did not do. */
  leftOut(): string[];
  /** The secrets that they made for a service of theirs. */
  secrets(): string[];
  close(): void;
}

/**
 * Sits a reader down.
 *
 * @param env the address of a service and a key, for those who call one
 */
export async function sitDown(env: { base: string; key: string }): Promise<Reader> {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-reader-'));
  furnish(folder);
  const ports = [await freePort(), await freePort()];
  const { DATABASE_URL: _, FORCE_COLOR: __, BASE_URL: ___, NODE_ENV: ____, VITEST: _____, ...inherited } = process.env;
  const bins = [dirname(process.execPath), join(PACKAGE, 'node_modules/.bin'), join(ROOT, 'node_modules/.bin')];
  const environment = {
    ...inherited,
    PATH: [...bins, process.env.PATH].join(delimiter),
    NODE_OPTIONS: '--conditions=@compliance/source',
    NO_COLOR: '1',
    COLUMNS: '100',
    COMPLIANCE_BASE_URL: env.base,
    COMPLIANCE_API_KEY: env.key,
    PYTHONPATH: join(CLIENTS, 'python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
    GOFLAGS: '-mod=mod',
    ...{ WORLD: folder, CHECKOUT: ROOT, PNPM, PORT: String(ports[0]), KEY: env.key },
  };
  /** Ports, folders of the system and the key are the reader's own. */
  const own = (code: string) =>
    code
      .replaceAll('8787', String(ports[0]))
      .replaceAll('8788', String(ports[1]))
      .replaceAll(' /var/', ' $WORLD/var/')
      .replaceAll(/ (\/data)?\/backups$/gm, ' $WORLD/backups')
      .replaceAll('<API_KEY>', `'"$KEY"'`);

  const run = (command: string, args: string[]) =>
    new Promise<Outcome>((resolve, reject) => {
      const child = spawn(command, args, { cwd: folder, env: environment });
      let output = '';
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
      if (outside) throw new Error(`${outside[0]} is the machine's: mark the block with no-run`);
      writeFileSync(
        join(folder, 'page.sh'),
        [readFileSync(join(HERE, 'machine.sh'), 'utf8'), ...blocks.map(own)].join('\n'),
      );
      const stop = 'for pid in $(cat pids 2> /dev/null); do kill "$pid"; done';
      return await run('sh', ['-c', `sh page.sh < /dev/null; status=$?; ${stop}; exit $status`]);
    },
    async program(language, blocks) {
      const code = blocks.join('\n').replaceAll('8787', String(ports[0]));
      if (language === 'python') return await run('python3', ['-c', code]);
      if (language === 'go') return await run('go', ['run', goProgram(folder, code)]);
      writeFileSync(join(folder, 'page.mts'), code);
      return await run(process.execPath, ['--no-warnings', '--import', join(HERE, 'unref-servers.mjs'), 'page.mts']);
    },
    leftOut() {
      const file = join(folder, 'left-out');
      return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
    },
    secrets() {
      const file = join(folder, '.env');
      const made = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
      return made.flatMap(
        line => /^(?:OPERATOR_SECRET|LINK_KEYS|\w+_PASSWORD|\w+_ACCESS_KEY)=(.+)$/.exec(line)?.[1] ?? [],
      );
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Makes the folder look like a checkout in which everything is installed. */
function furnish(folder: string): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  const installed = join(PACKAGE, 'node_modules');
  for (const name of readdirSync(installed)) {
    if (name !== '.bin') symlinkSync(join(installed, name), join(modules, name));
  }
  symlinkSync(join(ROOT, 'node_modules/.bin'), join(modules, '.bin'));
  const examples = join(ROOT, 'examples');
  cpSync(examples, join(folder, 'examples'), { recursive: true, filter: from => !from.includes('node_modules') });
  symlinkSync(join(examples, 'node_modules'), join(folder, 'examples/node_modules'));
  for (const place of ['var/lib', 'var/backups']) mkdirSync(join(folder, place), { recursive: true });
  writeFileSync(join(folder, 'hts_2026_rev_10.json.gz'), gzipSync(JSON.stringify(HTS_EXPORT)));
  writeFileSync(join(folder, 'chapter-99.txt'), CHAPTER_99);
}

/** Writes the statements of a page as a program. A reader's editor adds the imports. */
function goProgram(folder: string, code: string): string {
  const client = 'github.com/portfolio-compliance/compliance-go';
  writeFileSync(
    join(folder, 'go.mod'),
    `module page\ngo 1.21\nrequire ${client} v0.0.0\nreplace ${client} => ${CLIENTS}/go\n`,
  );
  const known = { compliance: client, context: 'context', errors: 'errors', fmt: 'fmt', time: 'time' };
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
