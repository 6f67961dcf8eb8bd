// Bundles each area's modules into one module per entry point. Otherwise, the small modules would waste a third of the
// disk space allocated to them. Tariff modules remain separate, because a lookup needs only some of them.
import { globSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

const dist = join(import.meta.dirname, '../dist');

/** Entry points of each area, which contain or import all of the area's modules. */
const AREAS = { pixel: ['pixel/index.js'], entry: ['entry/index.js', 'entry/record/status.js'] };

for (const [area, entryPoints] of Object.entries(AREAS)) {
  const folder = join(dist, area);
  const modules = globSync('**/*.js', { cwd: folder }).map(file => join(folder, file));
  const entries = entryPoints.map(file => join(dist, file));
  for (const entry of entries) {
    await build({
      entryPoints: [entry],
      allowOverwrite: true,
      outfile: entry,
      bundle: true,
      minifyWhitespace: true,
      format: 'esm',
      platform: 'neutral',
      target: 'esnext',
      plugins: [
        {
          name: 'only-this-area',
          setup({ onResolve }) {
            onResolve({ filter: /./ }, ({ path, importer, resolveDir }) => {
              if (importer === '') return undefined;
              const file = resolve(resolveDir, path);
              if (file.startsWith(`${folder}/`) && !entries.includes(file)) return undefined;
              const external = relative(dirname(entry), file);
              return { path: external.startsWith('.') ? external : `./${external}`, external: true };
            });
          },
        },
      ],
    });
  }
  for (const module of modules) if (!entries.includes(module)) rmSync(module);
}
