// Bundles the scan rules into one module. Otherwise, most of the disk space allocated to the 70 small modules and
// folders would be unused, and a process would have to load each module separately.
import { join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

const rules = join(import.meta.dirname, '../dist/pixel/rules');

await build({
  entryPoints: [join(rules, 'rules.gen.js')],
  allowOverwrite: true,
  outdir: rules,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  plugins: [
    {
      name: 'only-rules',
      setup({ onResolve }) {
        onResolve({ filter: /./ }, ({ path, importer, resolveDir }) => {
          if (importer === '' || (path.startsWith('.') && resolve(resolveDir, path).startsWith(`${rules}/`)))
            return undefined;
          const external = path.startsWith('.') ? relative(rules, resolve(resolveDir, path)) : path;
          return { path: external, external: true };
        });
      },
    },
  ],
});
