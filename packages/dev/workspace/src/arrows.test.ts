import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Workspace packages that each package is allowed to import. */
const ARROWS: Record<string, readonly string[]> = {
  action: [],
  core: [],
  'tariff-data': ['core'],
  lists: ['core'],
  'fonts-latin': [],
  'fonts-chinese': [],
  'fonts-japanese': [],
  'fonts-korean': [],
  fonts: ['fonts-latin', 'fonts-chinese', 'fonts-japanese', 'fonts-korean'],
  translations: [],
  store: ['core'],
  crawler: ['core'],
  chromium: [],
  renderer: ['chromium', 'core', 'crawler'],
  contract: ['core'],
  drawing: ['core', 'crawler', 'fonts'],
  signing: ['core'],
  mcp: ['core', 'contract', 'crawler', 'fonts'],
  server: ['core', 'store'],
  api: ['core', 'contract', 'mcp', 'store', 'crawler', 'drawing', 'server', 'translations'],
  cli: [
    'core',
    'store',
    'crawler',
    'fonts',
    'drawing',
    'signing',
    'lists',
    'server',
    'api',
    'client',
    'renderer',
    'translations',
  ],
  'shopify-app': ['core', 'store', 'crawler', 'drawing', 'signing', 'server', 'lists', 'renderer', 'translations'],
  'clients/node': [],
  'clients/vectors': ['api', 'core', 'crawler', 'drawing', 'store', 'workspace'],
  'dev/browser': ['chromium'],
  'dev/bench': [],
  'dev/capacity': ['api', 'core', 'drawing', 'store'],
  'dev/chaos': ['store'],
  'dev/fuzz': [],
  'dev/fake-shopify': ['browser', 'crawler'],
  'dev/docs': ['api'],
  'dev/prose': [],
  'dev/runtimes': ['browser', 'client', 'core', 'fonts-latin', 'workspace'],
  'dev/scaffold': [],
  'dev/workspace': ['core'],
};

/** Additional packages that only tests and benchmarks are allowed to import. */
const TEST_ARROWS: Record<string, readonly string[]> = {
  action: ['core'],
  core: ['browser', 'fonts', 'bench', 'fuzz'],
  store: ['fonts', 'bench'],
  renderer: ['api', 'bench', 'store'],
  signing: ['fonts'],
  translations: ['core'],
  api: ['browser', 'bench', 'fonts', 'fuzz'],
  cli: ['bench', 'fuzz'],
  'dev/docs': ['browser', 'client-vectors', 'workspace'],
  'shopify-app': ['browser', 'bench', 'fuzz', 'fake-shopify'],
};

/** Core areas that must not import each other. */
const AREAS = ['tariff', 'pixel', 'entry'];

const PLACES = [
  'packages/{*,dev/*,clients/*}/{src,bench}/**/*.ts',
  'shopify-app/{app,extensions,src,bench,test}/**/*.{ts,tsx}',
];
const sources = globSync(PLACES, { cwd: ROOT }).filter(file => !file.endsWith('.d.ts'));

interface Imports {
  /** A file's imports: packages by name, local files by path from the repository root. */
  readonly all: readonly string[];
  /** Imports that remain at runtime, after types are erased. */
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
const packageOf = (file: string) => /^packages\/((?:dev\/|clients\/)?[^/]+)/.exec(file)?.[1] ?? file.split('/')[0]!;

/**
 * Returns whether a file is used only for development, such as a test, a benchmark, or any file in `packages/dev` or
 * `packages/clients/vectors`.
 */
const isTest = (file: string) =>
  /^packages\/(dev|clients\/vectors)\/|\/bench\/|\.(test|fuzz|stories)\.tsx?$|\/testing\/|^shopify-app\/test\//.test(
    file,
  );

/**
 * Returns the folders that a file is allowed to import from by relative path. Tests and benchmarks are also allowed to
 * import files in script and benchmark folders.
 */
const homesOf = (file: string) =>
  file.startsWith('packages/')
    ? ['src', ...(isTest(file) ? ['scripts', 'bench'] : [])].map(folder => `packages/${packageOf(file)}/${folder}/`)
    : [`${packageOf(file)}/`];

const isTestFile = (file: string) => /\.(test|fuzz|stories)\.tsx?$|\/testing\//.test(file);

/** Returns a file's parent folders, from `src` or `app` downward. */
function ancestorsOf(file: string): string[] {
  const parts = dirname(file).split('/');
  return parts
    .map((_, depth) => parts.slice(0, depth + 1).join('/'))
    .filter(folder => /\/(src|app)(\/|$)/.test(folder));
}

/** Returns every cycle in a graph as a path that starts and ends at the same node. */
function cyclesIn(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, path: readonly string[]) => {
    if (path.includes(node)) cycles.push([...path.slice(path.indexOf(node)), node].join(' → '));
    if (path.includes(node) || done.has(node)) return;
    for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}

describe('the repository’s code', () => {
  it('imports packages only in the allowed directions', () => {
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

  it('specifies the allowed import directions for every package', () => {
    expect([...new Set(sources.map(packageOf))].sort()).toEqual(Object.keys(ARROWS).sort());
  });

  it('allows relative imports only within a package’s source code and, in tests, from its scripts and benchmarks', () => {
    const wrong = [...imports].flatMap(([file, names]) =>
      names
        .filter(name => name.includes('/') && /^(packages|shopify-app|\.\.)\//.test(name))
        .filter(name => !homesOf(file).some(home => name.startsWith(home)))
        .map(name => `${file} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps the core areas from importing each other', () => {
    const areaOf = (path: string) => AREAS.find(area => path.startsWith(`packages/core/src/${area}/`));
    const wrong = [...imports].flatMap(([file, names]) =>
      names
        .filter(name => areaOf(file) && areaOf(name) && areaOf(file) !== areaOf(name))
        .map(name => `${file} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('doesn’t import test code into production code', () => {
    const wrong = [...imports].flatMap(([file, names]) =>
      isTest(file) ? [] : names.filter(name => isTest(name) || name === 'vitest').map(name => `${file} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('contains no import cycles between files', () => {
    expect(cyclesIn(imports)).toEqual([]);
  });

  it('contains no import cycles between the files and folders in any folder, including cycles through type imports', () => {
    const edges = [...imports].flatMap(([from, names]) =>
      isTestFile(from) ? [] : names.filter(name => found.has(name)).map(to => [from, to] as const),
    );
    const folders = new Set(edges.flatMap(([from]) => ancestorsOf(from)));
    const cycles = [...folders].flatMap(folder => {
      const childOf = (path: string) =>
        path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0]! : null;
      const graph = new Map<string, Set<string>>();
      for (const [from, to] of edges) {
        const [a, b] = [childOf(from), childOf(to)];
        if (a !== null && b !== null && a !== b) graph.set(a, (graph.get(a) ?? new Set()).add(b));
      }
      return cyclesIn(graph).map(cycle => `${folder}: ${cycle}`);
    });
    expect(folders).toContain('packages/core/src/entry');
    expect(folders).toContain('packages/clients/node/src');
    expect(folders).toContain('shopify-app/app/screens');
    expect(cycles).toEqual([]);
  });
});

describe('the store', () => {
  it('doesn’t let its other code, the API, or any CLI command except `queues` import its shop folder', () => {
    const SHOP = 'packages/store/src/shop/';
    // Operators use the same command to list and redrive the service's jobs and the app's jobs.
    const QUEUES = 'packages/cli/src/commands/queues/';
    const wrong = [...imports].flatMap(([file, names]) =>
      /^packages\/(store|api|cli)\//.test(file) &&
      ![SHOP, QUEUES].some(folder => file.startsWith(folder)) &&
      !isTest(file)
        ? names
            .filter(name => name.startsWith(SHOP) || name === '@compliance/store/shop')
            .map(name => `${file} → ${name}`)
        : [],
    );
    expect(wrong).toEqual([]);
  });
});

describe('the Shopify app', () => {
  const within = (folder: string) =>
    [...found].filter(([file]) => file.startsWith(`shopify-app/${folder}`) && !isTest(file));

  it('keeps screens and routes out of services', () => {
    const wrong = within('src/').flatMap(([file, { all }]) =>
      all.filter(name => name.startsWith('shopify-app/app/')).map(name => `${file} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('imports only types, not values, from services and packages into browser code', () => {
    const client = within('app/').filter(
      ([file]) => /\/(screens|ui|document|i18n)\//.test(file) && !/\.server\./.test(file),
    );
    const wrong = client.flatMap(([file, { values }]) =>
      values.filter(name => /^shopify-app\/src\/|^@compliance\/|^node:/.test(name)).map(name => `${file} → ${name}`),
    );
    expect(client).not.toEqual([]);
    expect(wrong).toEqual([]);
  });

  it('imports the design system only in the UI kit', () => {
    const wrong = within('').flatMap(([file, { all }]) =>
      file.startsWith('shopify-app/app/ui/kit/')
        ? []
        : all.filter(name => name.startsWith('@shopify/polaris')).map(name => `${file} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('imports its framework only in files that are reserved for framework code', () => {
    const allowed =
      /^shopify-app\/(app\/(routes|ui|document)\/|app\/root\.tsx|app\/entry\.(client|server)\.tsx|src\/http\/server\.ts)/;
    const wrong = within('').flatMap(([file, { all }]) =>
      allowed.test(file) ? [] : all.filter(name => name.startsWith('@remix-run/')).map(name => `${file} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('examples', () => {
  const folders = globSync('examples/*/README.md', { cwd: ROOT }).map(file => dirname(file));

  it('imports only published packages and files in the example’s own folder, so that each example can be copied', () => {
    const files = folders.flatMap(folder => globSync(`${folder}/*.{js,mjs}`, { cwd: ROOT }));
    expect(files.length).toBeGreaterThan(3);
    const published = /^@compliance\/(core\/\w+|fonts(-\w+)?|translations(\/\w+)?|client)$/;
    const wrong = files.flatMap(file =>
      importsOf(file)
        .all.filter(name => (name.startsWith('@compliance/') ? !published.test(name) : name.includes('/')))
        .filter(name => !name.startsWith('node:') && !name.startsWith(dirname(file)))
        .map(name => `${file} → ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('lists every example in the index and includes a test for each one', () => {
    const index = readFileSync(join(ROOT, 'examples/README.md'), 'utf8');
    const names = folders.map(folder => folder.split('/')[1]!);
    expect([...index.matchAll(/\]\(([\w-]+)\)/g)].map(([, name]) => name).sort()).toEqual(names.sort());
    expect(folders.filter(folder => globSync(`${folder}/*.test.ts`, { cwd: ROOT }).length === 0)).toEqual([]);
  });
});

describe('core', () => {
  it('receives all input as arguments and never uses the clock, randomness, or the environment', () => {
    const impure = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.|\bperformance\.|\bfetch\(|['"]node:/;
    const found = sources.filter(
      file => packageOf(file) === 'core' && !isTest(file) && impure.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(found).toEqual([]);
  });
});
