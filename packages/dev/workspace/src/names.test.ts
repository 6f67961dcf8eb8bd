import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/**
 * Exported names that several files define, each with the meaning that the definitions share. Before you add a name,
 * try to import the existing definition or choose a more specific name.
 */
const SHARED_MEANINGS: Record<string, string> = {
  CaptureNote: 'part of a page that its capture omits, with a code',
  Face: 'a certificate font face, by its name in the font loader',
  Issue: 'a problem with a request: path, code, and message',
  KEY_SCOPES: 'API key scopes; the CLI has its own list so that it starts without loading the store',
  REPOSITORY_ROOT: "absolute path of the repository's root",
  webcrypto: 'the Web Crypto API of the runtime, which Node 18 has only in a module',
};

/** Exported names that have a fixed meaning in certain files, such as route modules. */
const CONVENTIONS: readonly { readonly files: RegExp; readonly names: readonly string[] }[] = [
  { files: /^shopify-app\/app\/(routes\/|root\.tsx$)/, names: ['action', 'headers', 'links', 'loader', 'meta'] },
  { files: /^packages\/store\/src\/database\/migrations\//, names: ['up'] },
];

/** Pattern for tests and generated files. Generated client models intentionally repeat the API's schema names. */
const LEFT_OUT = /\.d\.ts$|\.gen\.|\.(test|fuzz|stories)\.tsx?$|\/testing\//;

const SOURCES = ['packages/{*,dev/*,clients/*}/src/**/*.ts', 'shopify-app/{app,src}/**/*.{ts,tsx}'];

/** Returns the names that a file defines and exports, without its re-exports and its default export. */
function definedIn(file: string): string[] {
  const { module } = parseSync(file, readFileSync(join(ROOT, file), 'utf8'));
  const names = module.staticExports
    .flatMap(({ entries }) => entries)
    .flatMap(({ moduleRequest, exportName }) => (moduleRequest ? [] : (exportName.name ?? [])));
  const conventions = CONVENTIONS.filter(({ files }) => files.test(file)).flatMap(convention => convention.names);
  return [...new Set(names)].filter(name => !conventions.includes(name));
}

it('gives every exported name one meaning across all packages', () => {
  const files = globSync(SOURCES, { cwd: ROOT }).filter(file => !LEFT_OUT.test(file));
  const definitions = Map.groupBy(
    files.flatMap(file => definedIn(file).map(name => ({ name, file }))),
    ({ name }) => name,
  );
  const repeated = [...definitions.values()].filter(all => all.length > 1);
  const unreviewed = repeated
    .filter(([first]) => !Object.hasOwn(SHARED_MEANINGS, first!.name))
    .map(all => `${all[0]!.name}: ${all.map(({ file }) => file).join(', ')}`);
  expect(definitions.size).toBeGreaterThan(500);
  expect(unreviewed).toEqual([]);
  expect(repeated.map(([first]) => first!.name).sort()).toEqual(Object.keys(SHARED_MEANINGS).sort());
});
