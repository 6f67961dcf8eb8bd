import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { transform } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOperations } from './models/document.ts';
import { modelFiles } from './models/models.ts';
import { goRuntime, workshop } from './play/runtimes.ts';

const CLIENTS = fileURLToPath(new URL('../..', import.meta.url));
const sh = promisify(execFile);
const { folder, close } = workshop();
afterAll(close);

const read = (path: string) => readFileSync(join(CLIENTS, path), 'utf8');

describe('the generated files', () => {
  it.each(modelFiles().map(({ file, text }) => [file.pathname.slice(CLIENTS.length), text]))(
    '%s is what the service describes (run `pnpm gen`)',
    (path, text) => expect(read(path)).toBe(text),
  );

  it('leave every operation that takes a body at the path that its id says', () => {
    const posted = readOperations().operations.filter(({ method }) => method === 'post');
    for (const { id, path } of posted) expect(path).toBe(`/api/v1/${id.replaceAll('.', '/')}`);
  });
});

/** What a person reads to know a client: lines that are no blank, no comment and not of the generated types. */
const CODE: [string, string[], RegExp][] = [
  ['node', globSync('node/src/!(*.gen|*.test).ts', { cwd: CLIENTS }), /^\s*(\/\/|\/?\*)/],
  ['python', globSync('python/src/compliance/!(models|aio).py', { cwd: CLIENTS }), /^\s*(#|""")/],
  ['go', globSync('go/!(models*|*_test).go', { cwd: CLIENTS }), /^\s*\/\//],
];

describe.each(CODE)('the %s client', (_, files, comment) => {
  it('can be read in one sitting: 400 lines of code', () => {
    const text = files
      .map(read)
      .join('\n')
      .replace(/"""[\s\S]*?"""/g, '"""');
    const lines = text.split('\n').filter(line => line.trim() !== '' && !comment.test(line));
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.length).toBeLessThanOrEqual(400);
  });
});

describe('the three clients', () => {
  it('need nothing but their standard library', () => {
    expect(JSON.parse(read('node/package.json')).dependencies).toBeUndefined();
    expect(read('python/pyproject.toml')).not.toMatch(/^dependencies/m);
    expect(read('go/go.mod')).not.toContain('require');
  });

  it('have one version, and say it in each request', () => {
    const { version } = JSON.parse(read('node/package.json'));
    expect(read('node/src/exchange.ts')).toContain(`compliance-node/${version}`);
    expect(read('python/src/compliance/_exchange.py')).toContain(`compliance-python/${version}`);
    expect(read('python/src/compliance/__init__.py')).toContain(`__version__ = "${version}"`);
    expect(read('python/pyproject.toml')).toContain(`version = "${version}"`);
    expect(read('go/exchange.go')).toContain(`compliance-go/${version}`);
  });
});

describe('the npm package', () => {
  let tarball: ArrayBuffer;
  beforeAll(async () => {
    const own = process.env.npm_execpath;
    const pnpm = own?.includes('pnpm') && !own.endsWith('.cjs') ? [own] : ['npx', '--yes', 'pnpm@12.21.0'];
    const args = [...pnpm.slice(1), 'pack', '--json', '--pack-destination', folder];
    const { stdout } = await sh(pnpm[0]!, args, { cwd: join(CLIENTS, 'node') });
    const bytes = readFileSync(JSON.parse(stdout.slice(stdout.indexOf('{'))).filename);
    tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  });

  it('is without fault to publint', async () => {
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    expect(messages.map(message => formatMessage(message, pkg!, { color: false }))).toEqual([]);
  });

  it('has types that resolve as a module and as CommonJS, in old and new resolvers', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    expect('problems' in analysis ? analysis.problems : 'no types').toEqual([]);
  });

  it('holds the built client and nothing of the workshop', () => {
    const listed = createPackageFromTarballData(new Uint8Array(tarball)).listFiles();
    const inside = listed.map(file => file.replace('/node_modules/@compliance/client/', '')).sort();
    const built = ['cjs', 'd.cts', 'd.mts', 'mjs'].map(form => `dist/index.${form}`);
    expect(inside).toEqual(['LICENSE', 'README.md', ...built, 'package.json']);
  });

  it('is 4 KB at most, minified and compressed', async () => {
    const { code } = await transform(readFileSync(join(CLIENTS, 'node/dist/index.mjs')), { minify: true });
    expect(gzipSync(code).length).toBeLessThanOrEqual(4096);
  });
});

describe('the Python package', () => {
  it('is without fault to pyright, strict, for Python 3.8', async () => {
    const pyright = createRequire(import.meta.url).resolve('pyright');
    const { stdout } = await sh(process.execPath, [pyright, '--outputjson', '-p', join(CLIENTS, 'python')]);
    const { generalDiagnostics, summary } = JSON.parse(stdout);
    expect(generalDiagnostics).toEqual([]);
    expect(summary.filesAnalyzed).toBeGreaterThan(5);
  });
});

const go = await goRuntime(folder);
describe.skipIf('missing' in go)(`the Go module${'missing' in go ? `: ${go.missing}` : ''}`, () => {
  const cwd = join(CLIENTS, 'go');

  it('is without fault to vet and gofmt', async () => {
    await sh('go', ['vet', './...'], { cwd });
    expect((await sh('gofmt', ['-l', '.'], { cwd })).stdout).toBe('');
  });

  it('has examples that run', async () => {
    const { stdout } = await sh('go', ['test', '-count=1', '-v', './...'], { cwd });
    expect(stdout).toContain('--- PASS: ExampleHTS_Lookup');
  });
});
