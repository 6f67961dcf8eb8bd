import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { pnpm } from '@compliance/workspace/pnpm';
import { transform } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOperations } from './codegen/document.ts';
import { generatedFiles } from './codegen/files.ts';
import { buildFolder, goRuntime } from './runner/runtimes.ts';

const CLIENTS = fileURLToPath(new URL('../..', import.meta.url));
const sh = promisify(execFile);
const { folder, close } = buildFolder();
afterAll(close);

const read = (path: string) => readFileSync(join(CLIENTS, path), 'utf8');

describe('client code generation', () => {
  it.each(generatedFiles().map(({ file, text }) => [file.pathname.slice(CLIENTS.length), text]))(
    'keeps %s up to date with the OpenAPI document (run `pnpm gen`)',
    (path, text) => expect(read(path)).toBe(text),
  );

  it('includes only operations whose paths start with /api/v1/', () => {
    for (const { path } of readOperations().operations) expect(path).toMatch(/^\/api\/v1\//);
  });
});

/**
 * For each client, the handwritten files, a pattern that matches comment lines, and the maximum number of other lines.
 * The Python client includes its own connection pools.
 */
const HAND_WRITTEN: [string, string[], RegExp, number][] = [
  ['node', globSync('node/src/!(*.gen|*.test).ts', { cwd: CLIENTS }), /^\s*(\/\/|\/?\*)/, 550],
  [
    'python',
    globSync('python/src/compliance/!(models|aio|_operations|_aio_operations).py', { cwd: CLIENTS }),
    /^\s*(#|""")/,
    900,
  ],
  ['go', globSync('go/!(*.gen|*_test).go', { cwd: CLIENTS }), /^\s*\/\//, 620],
];

describe.each(HAND_WRITTEN)('the %s client', (_, files, comment, limit) => {
  it(`has at most ${limit} lines of handwritten code`, () => {
    const text = files
      .map(read)
      .join('\n')
      .replace(/"""[\s\S]*?"""/g, '"""');
    const lines = text.split('\n').filter(line => line.trim() !== '' && !comment.test(line));
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.length).toBeLessThanOrEqual(limit);
  });
});

describe('each client', () => {
  it('depends only on the standard library of its language', () => {
    expect(JSON.parse(read('node/package.json')).dependencies).toBeUndefined();
    expect(read('python/pyproject.toml')).not.toMatch(/^dependencies/m);
    expect(read('go/go.mod')).not.toContain('require');
  });

  it('sends the shared package version in its user agent', () => {
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
  beforeAll(() => {
    const stdout = pnpm(['pack', '--json', '--pack-destination', folder], join(CLIENTS, 'node'));
    const bytes = readFileSync(JSON.parse(stdout.slice(stdout.indexOf('{'))).filename);
    tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  });

  it('passes publint in strict mode', async () => {
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    expect(messages.map(message => formatMessage(message, pkg!, { color: false }))).toEqual([]);
  });

  it('provides types for ESM and CommonJS that old and new module resolvers can find', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    expect('problems' in analysis ? analysis.problems : 'no types').toEqual([]);
  });

  it('contains only the built client, its README, its license, and its manifest', () => {
    const listed = createPackageFromTarballData(new Uint8Array(tarball)).listFiles();
    const files = listed.map(file => file.replace('/node_modules/@compliance/client/', '')).sort();
    const built = ['cjs', 'd.cts', 'd.mts', 'mjs'].map(extension => `dist/index.${extension}`);
    built.push('dist/webcrypto-node.cjs', 'dist/webcrypto.mjs');
    expect(files).toEqual(['LICENSE', 'README.md', ...built, 'package.json']);
  });

  it('has at most 5.5 KB of minified and compressed code', async () => {
    const packed = createPackageFromTarballData(new Uint8Array(tarball));
    const built = packed.readFile('/node_modules/@compliance/client/dist/index.mjs');
    const { code } = await transform(built, { minify: true });
    expect(gzipSync(code).length).toBeLessThanOrEqual(5.5 * 1024);
  });
});

describe('the Python package', () => {
  it('passes pyright in strict mode for Python 3.8', async () => {
    const pyright = createRequire(import.meta.url).resolve('pyright');
    const { stdout } = await sh(process.execPath, [pyright, '--outputjson', '-p', join(CLIENTS, 'python')]);
    const { generalDiagnostics, summary } = JSON.parse(stdout);
    expect(generalDiagnostics).toEqual([]);
    expect(summary.filesAnalyzed).toBeGreaterThan(5);
  });

  it('has request types that accept only known values', async () => {
    const lines = [
      'import compliance',
      'client = compliance.Client("key")',
      'client.pixel.scan("https://shop.example", profile="eea")',
      'client.pixel.scan("https://shop.example", profile="us")',
      'client.entry.gcc.list(status="lost")',
      'client.tariff.hts.lookup(["7318.15.2061"], programs="all")',
      'client.tariff.hts.lookup(["7318.15.2061"], programs="gold")',
    ];
    writeFileSync(join(folder, 'wrong.py'), lines.join('\n'));
    const project = { include: ['wrong.py'], extraPaths: [join(CLIENTS, 'python/src')], pythonVersion: '3.8' };
    writeFileSync(join(folder, 'pyrightconfig.json'), JSON.stringify(project));
    const pyright = createRequire(import.meta.url).resolve('pyright');
    // Pyright exits with code 1 if it finds an error.
    const { stdout } = await sh(process.execPath, [pyright, '--outputjson', '-p', folder]).catch(error => error);
    const found: { range: { start: { line: number } } }[] = JSON.parse(stdout).generalDiagnostics;
    expect(found.map(({ range }) => range.start.line)).toEqual([3, 4, 6]);
  });
});

/** Time limit for Go commands, in milliseconds. The first command on a machine also compiles Go's standard library. */
const GO_TIMEOUT_MS = 180_000;

const go = await goRuntime(folder);
describe.skipIf('missing' in go)(
  `the Go module${'missing' in go ? `: ${go.missing}` : ''}`,
  { timeout: GO_TIMEOUT_MS },
  () => {
    const cwd = join(CLIENTS, 'go');

    it('passes go vet and gofmt', async () => {
      await sh('go', ['vet', './...'], { cwd });
      expect((await sh('gofmt', ['-l', '.'], { cwd })).stdout).toBe('');
    });

    it('runs its examples successfully', async () => {
      const { stdout } = await sh('go', ['test', '-count=1', '-v', './...'], { cwd });
      expect(stdout).toContain('--- PASS: ExampleHTS_Lookup');
    });
  },
);
