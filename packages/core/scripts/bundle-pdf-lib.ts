// Bundles the parts of pdf-lib that the library uses into dist/pdf-lib.js. Together, pdf-lib and its dependencies consist of
// about 350 modules, and loading them one by one accounts for most of the time that a process needs to create its first
// certificate.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const IMPORT = /import \{([^}]*)\} from '#pdf-lib'/g;

/** Names that the built modules import from pdf-lib. The build has already removed the type imports. */
const names = new Set(
  globSync('dist/**/*.js', { cwd: root })
    .flatMap(file => [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)])
    .flatMap(([, list]) => list!.split(',').map(name => name.trim()))
    .filter(name => name !== ''),
);

const { metafile } = await build({
  stdin: { contents: `export { ${[...names].sort().join(', ')} } from 'pdf-lib';`, resolveDir: root },
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  minify: true,
  outfile: 'dist/pdf-lib.js',
  metafile: true,
});

// The licenses of the bundled packages require their text to accompany the code.
const packages = new Set(
  Object.keys(metafile.inputs).flatMap(file => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []),
);
const licenses = [...packages].sort().map(folder => {
  const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: join(root, folder) });
  if (!file) throw new Error(`${name} ${version} doesn’t include a license file, so it can’t be bundled.`);
  return `${name} ${version}\n\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
});
writeFileSync(join(root, 'dist/pdf-lib.LICENSES.txt'), licenses.join(`\n${'-'.repeat(80)}\n\n`));
