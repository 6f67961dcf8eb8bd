import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Parts of a package in a workspace that contain code. Its other folders might contain data or settings. */
const CODE = ['package.json', `src${sep}`, `dist${sep}`];

/**
 * Returns the files and folders that a worker reads: the packages of its modules and, transitively, their dependencies.
 * The paths of folders end with a separator.
 *
 * @example readableFiles([new URL(import.meta.url)]) // ['/app/node_modules/@compliance/crawler/', …]
 */
export function readableFiles(modules: readonly URL[]): string[] {
  const paths = new Set<string>();
  const visited = new Set<string>();
  const visit = (folder: string) => {
    if (visited.has(folder)) return;
    visited.add(folder);
    if (isInstalled(folder)) paths.add(folder + sep);
    else for (const path of CODE.map(part => join(folder, part)).filter(existsSync)) paths.add(path);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    for (const name of Object.keys({ ...manifest.optionalDependencies, ...manifest.dependencies })) {
      const link = findDependency(folder, name);
      if (!link) continue;
      paths.add(link + sep);
      visit(realpathSync(link));
    }
  };
  for (const module of modules) visit(packageOf(fileURLToPath(module)));
  return [...paths];
}

/** Returns whether a package was installed, which means that its folder contains only published files. */
const isInstalled = (folder: string) => folder.split(sep).includes('node_modules');

function packageOf(file: string): string {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** Returns a dependency's folder, which can be a symbolic link, or null if the dependency isn't installed. */
function findDependency(from: string, name: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (basename(folder) !== 'node_modules' && existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) return null;
  }
}
