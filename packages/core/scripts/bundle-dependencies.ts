// Bundles only the dependency code that the library uses, and writes it to dist/vendor, so that the published package
// has no dependencies. If installed with their unused code, types, and metadata, the dependencies would take up 15
// times as much space. Bundling also saves time: pdf-lib alone consists of 350 modules, and loading them one by one
// accounted for most of the time that a process took to create its first certificate.
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { build, type Plugin, transformSync } from 'esbuild';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const vendor = join(dist, 'vendor');

/**
 * Matches a package import, such as `import createBig, { type Big } from 'big.js'`, in compiler-generated code and
 * types.
 */
const IMPORT =
  /^import (?:type )?(?:(\w+),? )?(?:\* as (\w+) |\{([^}]*)\} )?(?:from )?'([a-z@][^']*)'( with \{[^}]*\})?;/gm;

/** Matches the name of a package that the code still imports. */
const PACKAGE =
  /^(?:import|export) (?:[^'"(=;]*from )?["'](\w[^'"\n]*|@[^'"\n]+)["']|\bimport\(["']([\w@][^'"\n]*)["']\)/m;

/** Matches a relative path that compiler-generated code imports. */
const RELATIVE = /^(?:import|export) (?:[^'"(=;]*from )?["'](\.[^'"\n]+)["']|\bimport\(["'](\.[^'"\n]+)["']\)/gm;

/** Matches the import of HarfBuzz, the only package that is imported on demand. */
const HARFBUZZ = /await import\('harfbuzzjs'\)/;

/** Name of a package's bundle, such as `i18n-iso-countries-codes`. */
const bundleName = (specifier: string) =>
  specifier
    .replace(/\.js(on)?$/, '')
    .replace(/^@/, '')
    .replaceAll('/', '-');

const files = globSync('**/*.{js,d.ts}', { cwd: dist });
const code = new Map(files.map(file => [file, readFileSync(join(dist, file), 'utf8')]));
const used = usedExports();

const { metafile } = await build({
  entryPoints: Object.fromEntries([...used.keys()].map(specifier => [bundleName(specifier), `used:${specifier}`])),
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  minify: true,
  outdir: vendor,
  chunkNames: 'shared-[hash]',
  // Otherwise, the embedded bytes would be decoded with a function that isn't available in Node 24 and earlier.
  target: 'es2022',
  metafile: true,
  plugins: [entryPoints(), embeddedHarfbuzz(), withoutHtmlParser(), withoutTranslations()],
});
for (const [file, text] of code) writeFileSync(join(dist, file), withBundles(file, withJsonKeys(file, text)));
copyTypes();
removeUnused();
minifyData();
removeComments();
writeLicenses(Object.keys(metafile.inputs));

/** Removes the line breaks and indentation that the compiler adds to JSON files. */
function minifyData(): void {
  for (const file of globSync('**/*.json', { cwd: dist })) {
    const path = join(dist, file);
    writeFileSync(path, JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))));
  }
}

/** Removes comments from code, and minifies generated code. Type declarations keep their documentation. */
function removeComments(): void {
  for (const file of globSync('**/*.js', { cwd: dist, exclude: ['vendor/**'] })) {
    const path = join(dist, file);
    const isGenerated = file.endsWith('.gen.js');
    writeFileSync(path, transformSync(readFileSync(path, 'utf8'), { target: 'esnext', minify: isGenerated }).code);
  }
}

/**
 * Returns a plugin that omits Zod's translated messages. The core library provides its own messages, and the copied
 * type declarations also omit the translations.
 */
function withoutTranslations(): Plugin {
  return {
    name: 'without-translations',
    setup({ onLoad }) {
      onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({ contents: 'export {};' }));
    },
  };
}

/**
 * Returns the exports that the built modules use from each package. The compiler has already removed the type imports.
 */
function usedExports(): Map<string, Set<string>> {
  const exports = new Map([['harfbuzzjs', new Set(['load'])]]);
  for (const text of [...code].flatMap(([file, text]) => (file.endsWith('.js') ? [text] : []))) {
    for (const [, name, namespace, list = '', specifier] of text.matchAll(IMPORT)) {
      const names = exports.get(specifier!) ?? new Set();
      if (name) names.add('default');
      for (const [, member] of namespace ? text.matchAll(new RegExp(`\\b${namespace}\\.(\\w+)`, 'g')) : [])
        names.add(member!);
      for (const item of list.split(',').map(item => item.trim().split(' as ')[0]!)) if (item) names.add(item);
      exports.set(specifier!, names);
    }
  }
  return exports;
}

/**
 * Returns a plugin that creates an entry point for each package. Each entry point exports only the code that the
 * library uses.
 */
function entryPoints(): Plugin {
  return {
    name: 'entry-points',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^used:/ }, ({ path }) => ({ path: path.slice('used:'.length), namespace: 'used' }));
      onLoad({ filter: /.*/, namespace: 'used' }, ({ path }) => ({
        contents: `export { ${[...used.get(path)!].sort().join(', ')} } from '${path}';`,
        resolveDir: root,
      }));
    },
  };
}

/**
 * Returns a plugin that embeds HarfBuzz's WebAssembly module, because bundlers don't copy the file that HarfBuzz would
 * otherwise read. A `load` function replaces the top-level `await`, which CommonJS bundles can't contain.
 */
function embeddedHarfbuzz(): Plugin {
  const replaceIn = (text: string, from: string, to: string) => {
    if (!text.includes(from)) throw new Error(`harfbuzzjs no longer contains “${from}”.`);
    return text.replaceAll(from, to);
  };
  return {
    name: 'embedded-harfbuzz',
    setup({ onLoad, resolve }) {
      onLoad({ filter: /harfbuzzjs\/dist\/index\.mjs$/ }, async ({ path }) => {
        const { path: fflate } = await resolve('fflate', { resolveDir: root, kind: 'import-statement' });
        const text = replaceIn(readFileSync(path, 'utf8'), 'init(await createHarfBuzz());', '');
        const imports = `import { inflateSync } from ${JSON.stringify(fflate)};\nimport wasm from './harfbuzz.wasm';\n`;
        const [, names] = /^export \{(.*)\};$/m.exec(text)!;
        const load = `async function start() {
          init(await createHarfBuzz({ wasmBinary: inflateSync(wasm), locateFile: file => file }));
          return {${names}};
        }
        let started;
        export const load = () => (started ??= start());`;
        return { contents: `${imports}${text}\n${load}`, loader: 'js' };
      });
      // Remove the references to Node's built-in modules because browser bundlers can't resolve them, and the URL of
      // the WebAssembly file because bundlers would try to load that file.
      onLoad({ filter: /harfbuzzjs\/dist\/harfbuzz\.js$/ }, ({ path }) => {
        const withoutNode = replaceIn(readFileSync(path, 'utf8'), 'if(ENVIRONMENT_IS_NODE)', 'if(false)');
        const withoutFile = replaceIn(withoutNode, 'new URL("harfbuzz.wasm",import.meta.url).href', '"harfbuzz.wasm"');
        return { contents: replaceIn(withoutFile, 'import.meta.url', '""'), loader: 'js' };
      });
      onLoad({ filter: /harfbuzz\.wasm$/ }, ({ path }) => ({
        contents: deflateRawSync(readFileSync(path), { level: 9 }),
        loader: 'binary',
      }));
    },
  };
}

/**
 * Returns a plugin that omits pdf-lib's HTML parser. pdf-lib uses the parser only for SVG images and XFA forms, and
 * certificates contain neither.
 */
function withoutHtmlParser(): Plugin {
  return {
    name: 'without-html-parser',
    setup({ onLoad }) {
      onLoad({ filter: /node-html-better-parser/ }, () => ({
        contents: 'export const parse = null, NodeType = null;',
      }));
    },
  };
}

/** Returns a built module whose package imports refer to the bundles. */
function withBundles(file: string, text: string): string {
  const bundle = (specifier: string) =>
    relative(dirname(join(dist, file)), join(vendor, `${bundleName(specifier)}.js`));
  const bundled = text
    .replace(IMPORT, (statement, _name, _namespace, _list, specifier, attributes = '') =>
      statement.replace(`'${specifier}'${attributes}`, `'${bundle(specifier)}'`),
    )
    .replace(HARFBUZZ, `await (await import('${bundle('harfbuzzjs')}')).load()`);
  const [, fixed, dynamic] = PACKAGE.exec(bundled) ?? [];
  const missed = fixed ?? dynamic;
  if (missed !== undefined) throw new Error(`${file} imports ${missed} in a form that this script doesn’t recognize.`);
  return bundled;
}

/** Copies the Zod types, which the library's types refer to, without Zod's translations. */
function copyTypes(): void {
  const source = join(root, 'node_modules/zod/v4');
  for (const file of globSync('{classic,core}/*.d.ts', { cwd: source }))
    cpSync(join(source, file), join(vendor, 'zod', file));
  mkdirSync(join(vendor, 'zod/locales'));
  writeFileSync(join(vendor, 'zod/locales/index.d.ts'), 'export {};\n');
  const types = "'./zod/classic/external.js';\n";
  writeFileSync(join(vendor, 'zod.d.ts'), `export * from ${types}export * as z from ${types}`);
}

/**
 * Replaces JSON imports in type declarations with types that contain only the files' keys, because not all TypeScript
 * module settings handle JSON imports in the same way.
 */
function withJsonKeys(file: string, text: string): string {
  if (!file.endsWith('.d.ts')) return text;
  return text.replace(/^import (\w+) from '(\.[^']+\.json)'.*;$/gm, (_, name: string, path: string) => {
    const keys = Object.keys(JSON.parse(readFileSync(join(dist, dirname(file), path), 'utf8')));
    return `declare const ${name}: Record<${keys.map(key => JSON.stringify(key)).join(' | ')}, string>;`;
  });
}

/** Deletes the modules and type declarations that no entry point depends on. */
function removeUnused(): void {
  const areas = ['entry', 'pixel', 'tariff', 'tariff/dataset'];
  const reached = new Set(areas.flatMap(area => [`${area}/index.js`, `${area}/index.d.ts`]));
  for (const file of reached) {
    // The bundles import only each other, and all of them are needed.
    if (/^vendor\/.*\.js$/.test(file)) continue;
    const isType = file.endsWith('.d.ts');
    for (const [, fixed, dynamic] of readFileSync(join(dist, file), 'utf8').matchAll(RELATIVE)) {
      const target = join(dirname(file), fixed ?? dynamic!);
      reached.add(isType ? target.replace(/\.[jt]s$/, '.d.ts') : target);
    }
  }
  for (const file of globSync('**/*.{js,d.ts}', { cwd: dist }))
    if (!reached.has(file) && !/^vendor\/.*\.js$/.test(file)) rmSync(join(dist, file));
}

/**
 * Writes the licenses of the bundled packages, because the license terms require the license text to accompany the
 * code.
 */
function writeLicenses(inputs: readonly string[]): void {
  const folders = new Set(inputs.flatMap(file => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []));
  const licenses = [...folders].sort().map(folder => {
    const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
    };
    const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: join(root, folder) });
    if (!file) throw new Error(`${name} ${version} doesn’t include a license file, so it can’t be bundled.`);
    return `${name} ${version}\n\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
  });
  writeFileSync(join(vendor, 'LICENSES.txt'), licenses.join(`\n${'-'.repeat(80)}\n\n`));
}
