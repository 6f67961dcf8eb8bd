import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const INSTALLED = `${sep}node_modules${sep}`;

/**
 * Code of a workspace package: its source or its build, whichever this module runs from. The package's other folders
 * might contain data, settings, or a build that another process is replacing.
 */
const CODE = ['package.json', `${import.meta.url.endsWith('.ts') ? 'src' : 'dist'}${sep}`];

/**
 * Returns the files and folders that a worker can read: its modules' packages and, transitively, the `node_modules`
 * folders of their dependencies. Folder paths end with a separator.
 *
 * Dependencies aren't listed one by one, because Node sometimes denies access to a listed folder if the name of another
 * listed folder starts with the same text.
 *
 * @example readableFiles([new URL(import.meta.url)]) // ['/app/node_modules/']
 */
export function readableFiles(modules: readonly URL[]): string[] {
  return [...new Set(modules.flatMap(module => filesOfPackage(packageOf(fileURLToPath(module)))))];
}

const filesByPackage = new Map<string, readonly string[]>();

function filesOfPackage(root: string): readonly string[] {
  const known = filesByPackage.get(root);
  if (known) return known;
  const paths = new Set<string>();
  const visited = new Set<string>();
  const visit = (folder: string) => {
    if (visited.has(folder)) return;
    visited.add(folder);
    const installed = folder.lastIndexOf(INSTALLED);
    if (installed !== -1) paths.add(folder.slice(0, installed + INSTALLED.length));
    else for (const path of CODE.map(part => join(folder, part)).filter(existsSync)) paths.add(path);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    for (const name of Object.keys({ ...manifest.optionalDependencies, ...manifest.dependencies })) {
      const dependencies = findDependencies(folder, name);
      if (!dependencies) continue;
      paths.add(dependencies + sep);
      visit(realpathSync(join(dependencies, name)));
    }
  };
  visit(root);
  filesByPackage.set(root, [...paths]);
  return [...paths];
}

function packageOf(file: string): string {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** Returns the `node_modules` folder that contains a dependency, or null if the dependency isn't installed. */
function findDependencies(from: string, name: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = basename(folder) === 'node_modules' ? folder : join(folder, 'node_modules');
    if (existsSync(join(candidate, name))) return candidate;
    if (folder === dirname(folder)) return null;
  }
}
