// Embeds the bytes of each font in the built module that loads the font. The published packages therefore contain only
// plain ES modules, which every runtime can load and every bundler can include. Run this script in the folder of a font
// package.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { build } from 'esbuild';

const READ = /readFile\(require\.resolve\('([^']+)'\)\)/;
const FROM_DISK = /^import .* from 'node:.*';\n|^const require = .*\n/gm;

/**
 * Code that decodes and decompresses an embedded font. It prefers `DecompressionStream`, which is several times as fast
 * as `inflateSync` but isn't available in some edge runtimes.
 */
const RESTORE = `
import { inflateSync } from 'fflate';

export async function restore(base64, size) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  try {
    const font = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new Uint8Array(await new Response(font).arrayBuffer());
  } catch {
    return inflateSync(bytes, { out: new Uint8Array(size) });
  }
}
`;

const folder = process.cwd();
const require = createRequire(join(folder, 'package.json'));

for (const file of globSync('dist/faces/*.js')) {
  const code = readFileSync(file, 'utf8').replace(FROM_DISK, '');
  const [, path] = READ.exec(code) ?? [];
  if (path === undefined) throw new Error(`${file} doesn’t load a font.`);
  const font = readFileSync(require.resolve(path));
  const call = `restore('${deflateRawSync(font, { level: 9 }).toString('base64')}', ${font.length})`;
  writeFileSync(file, `import { restore } from '../vendor/restore.js';\n${code.replace(READ, () => call)}`);
}

await build({
  stdin: { contents: RESTORE, resolveDir: folder },
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  minify: true,
  target: 'es2022',
  outfile: 'dist/vendor/restore.js',
});
const fflate = dirname(require.resolve('fflate'));
const [manifest, license] = ['package.json', 'LICENSE'].map(file => readFileSync(join(fflate, '..', file), 'utf8'));
writeFileSync('dist/vendor/LICENSES.txt', `fflate ${JSON.parse(manifest!).version}\n\n${license}`);
