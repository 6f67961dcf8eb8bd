import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What each package may import of ours. An arrow that is not here points the wrong way. */
const ARROWS: Record<string, readonly string[]> = {
  core: [],
  fonts: [],
  store: ['core'],
  crawler: ['core'],
  api: ['core', 'store', 'crawler', 'fonts'],
  cli: ['core', 'store', 'crawler', 'fonts', 'api'],
  workspace: ['core'],
};

/** What only tests of a package may import besides. */
const TEST_ARROWS: Record<string, readonly string[]> = { core: ['fonts'] };

/** The areas of core that know nothing of each other. */
const AREAS = ['tariff', 'pixel', 'entry'];

const sources = globSync('packages/*/src/**/*.ts', { cwd: ROOT }).filter(file => !file.endsWith('.d.ts'));

/** What a file imports: packages by name, own files by path from the root. */
function importsOf(file: string): string[] {
  const { module } = parseSync(file, readFileSync(join(ROOT, file), 'utf8'));
  const written = [
    ...module.staticImports.map(entry => entry.moduleRequest.value),
    ...module.staticExports.flatMap(entry => entry.entries.flatMap(exported => exported.moduleRequest?.value ?? [])),
  ];
  return written.map(name => (name.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(file), name)) : name));
}

const imports = new Map(sources.map(file => [file, importsOf(file)]));
const packageOf = (file: string) => file.split('/')[1]!;
const isTest = (file: string) => /\.test\.ts$|\/testing\//.test(file);

describe('imports point one way', () => {
  it('between packages', () => {
    const wrong = [...imports].flatMap(([file, names]) =>
      names
        .flatMap(name => /^@compliance\/([\w-]+)/.exec(name)?.[1] ?? [])
        .filter(target => !ARROWS[packageOf(file)]?.includes(target))
        .filter(target => !(isTest(file) && TEST_ARROWS[packageOf(file)]?.includes(target)))
        .map(target => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('knows every package', () => {
    expect([...new Set(sources.map(packageOf))].sort()).toEqual(Object.keys(ARROWS).sort());
  });

  it('never out of a package by a path, but from a test into its own scripts', () => {
    const wrong = [...imports].flatMap(([file, names]) =>
      names
        .filter(name => name.includes('/') && /^(packages|\.\.)\//.test(name))
        .filter(name => !name.startsWith(`packages/${packageOf(file)}/src/`))
        .filter(name => !(isTest(file) && name.startsWith(`packages/${packageOf(file)}/scripts/`)))
        .map(name => `${file} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('never between the areas of core', () => {
    const areaOf = (path: string) => AREAS.find(area => path.startsWith(`packages/core/src/${area}/`));
    const wrong = [...imports].flatMap(([file, names]) =>
      names
        .filter(name => areaOf(file) && areaOf(name) && areaOf(file) !== areaOf(name))
        .map(name => `${file} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('never from the product into its tests', () => {
    const wrong = [...imports].flatMap(([file, names]) =>
      isTest(file) ? [] : names.filter(name => isTest(name) || name === 'vitest').map(name => `${file} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('in no circle', () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]) => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (path.includes(file) || done.has(file)) return;
      for (const next of imports.get(file) ?? []) visit(next, [...path, file]);
      done.add(file);
    };
    for (const file of sources) visit(file, []);
    expect(circles).toEqual([]);
  });
});

describe('examples', () => {
  const folders = globSync('examples/*/README.md', { cwd: ROOT }).map(file => dirname(file));

  it('can be copied: they import published packages and nothing beside their folder', () => {
    const files = folders.flatMap(folder => globSync(`${folder}/*.{js,mjs}`, { cwd: ROOT }));
    expect(files.length).toBeGreaterThan(3);
    const published = /^@compliance\/(core\/\w+|fonts|client)$/;
    const wrong = files.flatMap(file =>
      importsOf(file)
        .filter(name => (name.startsWith('@compliance/') ? !published.test(name) : name.includes('/')))
        .filter(name => !name.startsWith('node:') && !name.startsWith(dirname(file)))
        .map(name => `${file} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('are all in the index, and each has a test', () => {
    const index = readFileSync(join(ROOT, 'examples/README.md'), 'utf8');
    const names = folders.map(folder => folder.split('/')[1]!);
    expect([...index.matchAll(/\]\(([\w-]+)\)/g)].map(([, name]) => name).sort()).toEqual(names.sort());
    expect(folders.filter(folder => globSync(`${folder}/*.test.ts`, { cwd: ROOT }).length === 0)).toEqual([]);
  });
});

describe('core', () => {
  it('takes everything by argument: it names no clock, no chance and no environment', () => {
    const impure = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.|\bperformance\.|\bfetch\(|['"]node:/;
    const found = sources.filter(
      file => packageOf(file) === 'core' && !isTest(file) && impure.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(found).toEqual([]);
  });
});
