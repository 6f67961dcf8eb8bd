import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packPackages, REPOSITORY_ROOT } from './pnpm.ts';
import { PUBLISHED } from './published.ts';

// The packages contain only ES modules, so ignore the results for CommonJS resolvers and resolvers without `exports`
// support.
const NOT_SUPPORTED = ['node10', 'node16-cjs'];

const SHIPPED = /^(dist\/.+\.(js|d\.ts|json)|dist\/vendor\/LICENSES\.txt|README\.md|LICENSE|OFL\.txt|package\.json)$/;

/** The folder with bundled third-party code. */
const VENDOR = 'dist/vendor/';

const NOT_SHIPPED =
  /\.(test|fuzz|bench|stories|schema)\.(d\.)?[jt]s$|\.gen\.json|(^|\/)(src|test|testing|fixtures|samples|scripts|bench)\//;

const folder = mkdtempSync(join(tmpdir(), 'compliance-pack-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The CLI compiles against the built client, which has its own packaging tests.
beforeAll(() => {
  packPackages([...PUBLISHED, 'clients/node', 'tariff-data'], folder);
});

function readTarball(name: string): ArrayBuffer {
  const { version } = JSON.parse(readFileSync(join(REPOSITORY_ROOT, 'packages', name, 'package.json'), 'utf8'));
  const bytes = readFileSync(join(folder, `compliance-${name}-${version}.tgz`));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

describe.each(PUBLISHED)('the %s tarball', name => {
  const source = join(REPOSITORY_ROOT, 'packages', name);
  let tarball: ArrayBuffer;
  beforeAll(() => {
    tarball = readTarball(name);
  });

  it('passes publint', async () => {
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    expect(messages.map(message => formatMessage(message, pkg!, { color: false }))).toEqual([]);
  });

  // Skip the CLI, which users run but don't import.
  it.skipIf(name === 'cli')('has types that resolve in every supported environment', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    const problems = 'problems' in analysis ? analysis.problems : [];
    const real = problems.filter(
      problem => !('resolutionKind' in problem) || !NOT_SUPPORTED.includes(problem.resolutionKind),
    );
    expect(real.map(problem => JSON.stringify(problem))).toEqual([]);
  });

  it('states its repository, home page, funding page, and bug tracker', () => {
    const packed = createPackageFromTarballData(new Uint8Array(tarball));
    const { repository, homepage, bugs, funding } = JSON.parse(
      readFileSync(join(REPOSITORY_ROOT, 'package.json'), 'utf8'),
    );
    const expected = { repository: { ...repository, directory: `packages/${name}` }, homepage, bugs, funding };
    expect(repository.url).toMatch(/^git\+https:/);
    expect(JSON.parse(packed.readFile(`/node_modules/@compliance/${name}/package.json`))).toMatchObject(expected);
  });

  it.runIf(/^core$|^fonts/.test(name))('depends on no packages from outside this repository', () => {
    const packed = createPackageFromTarballData(new Uint8Array(tarball));
    const { dependencies } = JSON.parse(packed.readFile(`/node_modules/@compliance/${name}/package.json`));
    expect(Object.keys(dependencies).filter(name => !name.startsWith('@compliance/'))).toEqual([]);
  });

  it('contains only built code, its README, its license, and its manifest', () => {
    const listed = createPackageFromTarballData(new Uint8Array(tarball)).listFiles();
    const files = listed.map(file => file.replace(`/node_modules/@compliance/${name}/`, ''));
    expect(files.filter(file => !SHIPPED.test(file) || NOT_SHIPPED.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    const modules = files.filter(file => file.endsWith('.js') && !file.startsWith(VENDOR));
    expect(modules.length).toBeGreaterThan(0);
    const sourceOf = (file: string) => join(source, file.replace('dist/', 'src/').replace(/\.js$/, '.ts'));
    expect(modules.filter(file => !existsSync(sourceOf(file)))).toEqual([]);
    if (!files.some(file => file.startsWith(VENDOR)))
      expect(files).toEqual(expect.arrayContaining(modules.map(file => file.replace(/\.js$/, '.d.ts'))));
    else expect(files).toContain(`${VENDOR}LICENSES.txt`);
  });
});

it('publishes the tariff-data tarball without code and with a checksum for every data file', async () => {
  const tarball = readTarball('tariff-data');
  const packed = createPackageFromTarballData(new Uint8Array(tarball));
  const home = '/node_modules/@compliance/tariff-data/';
  const files = packed.listFiles().map(file => file.replace(home, ''));
  const sums = packed.readFile(`${home}dist/SHA256SUMS`).trim().split('\n');
  const data = sums.map(line => `dist/${line.split('  ')[1]}`);
  expect(files.sort()).toEqual(['LICENSE', 'README.md', 'package.json', 'dist/SHA256SUMS', ...data].sort());
  expect(data.filter(file => !/\.(json|csv|parquet)$/.test(file))).toEqual([]);
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  expect(messages.map(message => formatMessage(message, pkg!, { color: false }))).toEqual([]);
});
