// Changes package manifests when pnpm packs the packages.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const root = import.meta.dirname;

/** Packages whose build includes their dependencies from outside this repository, so that users don't need to install them. */
const BUNDLED = /^@compliance\/(core|fonts(-\w+)?)$/;

export const hooks = {
  beforePacking(manifest, folder) {
    // Every package has the same URLs, which are only in the root manifest.
    const { repository, homepage, bugs } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
    const directory = relative(root, folder);
    const published = { ...manifest, repository: { ...repository, directory }, homepage, bugs };
    if (!BUNDLED.test(manifest.name)) return published;
    const own = Object.entries(manifest.dependencies).filter(([name]) => name.startsWith('@compliance/'));
    return { ...published, dependencies: Object.fromEntries(own) };
  },
};
