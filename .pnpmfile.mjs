// Changes package manifests when pnpm packs the packages.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const root = import.meta.dirname;

/** Packages that bundle their external dependencies, which are therefore omitted from the published manifest. */
const BUNDLED = /^@compliance\/(core|fonts(-\w+)?)$/;

export const hooks = {
  beforePacking(manifest, folder) {
    // All packages use the same URLs, which are defined only in the root manifest.
    const { repository, homepage, bugs, funding } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
    const directory = relative(root, folder);
    const published = { ...manifest, repository: { ...repository, directory }, homepage, bugs, funding };
    if (!BUNDLED.test(manifest.name)) return published;
    const own = Object.entries(manifest.dependencies).filter(([name]) => name.startsWith('@compliance/'));
    return { ...published, dependencies: Object.fromEntries(own) };
  },
};
