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
  browser: [],
  bench: [],
  fuzz: [],
  store: ['core'],
  crawler: ['core'],
  api: ['core', 'store', 'crawler', 'fonts'],
  cli: ['core', 'store', 'crawler', 'fonts', 'api'],
  'shopify-app': ['core', 'store', 'crawler', 'fonts'],
  docs: ['api'],
  workspace: ['core'],
};

/** What only tests and benches of a package may import besides. */
const TEST_ARROWS: Record<string, readonly string[]> = {
  core: ['fonts', 'bench', 'fuzz'],
  store: ['fonts', 'bench'],
  api: ['browser', 'bench', 'fuzz'],
  cli: ['fuzz'],
  docs: ['browser', 'client-vectors'],
  'shopify-app': ['browser', 'bench', 'fuzz'],
};

/** The areas of core that know nothing of each other. */
const AREAS = ['tariff', 'pixel', 'entry'];

const PLACES = ['packages/*/{src,bench}/**/*.ts', 'shopify-app/{app,src,bench,stand-in,test}/**/*.{ts,tsx}'];
const sources = globSync(PLACES, { cwd: ROOT }).filter(file => !file.endsWith('.d.ts'));

interface Imports {
  /** Packages by name, own files by path from the root. */
  readonly all: readonly string[];
  /** Those that are still there when the types are gone. */
  readonly values: readonly string[];
}

function importsOf(file: string): Imports {
  const { module } = parseSync(file, readFileSync(join(ROOT, file), 'utf8'));
  const written = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      name: moduleRequest.value,
      isType: entries.length > 0 && entries.every(entry => entry.isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest ? [{ name: moduleRequest.value, isType }] : [])),
    ),
  ].map(({ name, isType }) => ({
    name: name.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(file), name)) : name,
    isType,
  }));
  return {
    all: written.map(({ name }) => name),
    values: written.flatMap(({ name, isType }) => (isType ? [] : name)),
  };
}

const found = new Map(sources.map(file => [file, importsOf(file)]));
const imports = new Map([...found].map(([file, { all }]) => [file, all]));
const packageOf = (file: string) => (file.startsWith('packages/') ? file.split('/')[1]! : file.split('/')[0]!);
/** `packages/browser` and `packages/fuzz` are for tests alone, `packages/bench` for benches. */
const isTest = (file: string) =>
  /^packages\/(browser|bench|fuzz)\/|\/bench\/|\.(test|fuzz|states)\.tsx?$|\/testing\/|^shopify-app\/(stand-in|test)\//.test(
    file,
  );
/**
 * Where a file finds others of its package by a path; tests and benches reach its scripts and benches, too. The app has its
 * screens and its stand-in for Shopify beside its services.
 */
const homesOf = (file: string) =>
  file.startsWith('packages/')
    ? ['src', ...(isTest(file) ? ['scripts', 'bench'] : [])].map(room => `packages/${packageOf(file)}/${room}/`)
    : [`${packageOf(file)}/`];

describe('imports point one way', () => {
  it('between packages', () => {
    const wrong = [...imports].flatMap(([file, names]) =>
      names
        .flatMap(name => /^@compliance\/([\w-]+)/.exec(name)?.[1] ?? [])
        .filter(target => !ARROWS[packageOf(file)]?.includes(target))
        .filter(
          target => !(isTest(file) && [packageOf(file), ...(TEST_ARROWS[packageOf(file)] ?? [])].includes(target)),
        )
        .map(target => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('knows every package', () => {
    expect([...new Set(sources.map(packageOf))].sort()).toEqual(Object.keys(ARROWS).sort());
  });

  it('never out of a package by a path, but from a test into its own scripts and benches', () => {
    const wrong = [...imports].flatMap(([file, names]) =>
      names
        .filter(name => name.includes('/') && /^(packages|shopify-app|\.\.)\//.test(name))
        .filter(name => !homesOf(file).some(home => name.startsWith(home)))
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

describe('the Shopify app', () => {
  const within = (folder: string) =>
    [...found].filter(([file]) => file.startsWith(`shopify-app/${folder}`) && !isTest(file));

  it('has services that know nothing of screens and routes', () => {
    const wrong = within('src/').flatMap(([file, { all }]) =>
      all.filter(name => name.startsWith('shopify-app/app/')).map(name => `${file} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('sends nothing of its services and packages to the browser but types', () => {
    const client = within('app/').filter(
      ([file]) => /\/(screens|document|i18n)\//.test(file) && !/\.server\./.test(file),
    );
    const wrong = client.flatMap(([file, { values }]) =>
      values.filter(name => /^shopify-app\/src\/|^@compliance\/|^node:/.test(name)).map(name => `${file} → ${name}`),
    );
    expect(client).not.toEqual([]);
    expect(wrong).toEqual([]);
  });

  it('names its framework only where a change of framework will be looked for', () => {
    const allowed =
      /^shopify-app\/(app\/(routes|document)\/|app\/root\.tsx|app\/entry\.(client|server)\.tsx|src\/http\/server\.ts)/;
    const wrong = within('').flatMap(([file, { all }]) =>
      allowed.test(file) ? [] : all.filter(name => name.startsWith('@remix-run/')).map(name => `${file} → ${name}`),
    );
    expect(wrong).toEqual([]);
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
        .all.filter(name => (name.startsWith('@compliance/') ? !published.test(name) : name.includes('/')))
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
