import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names that the project's owner chooses. */
export interface ProjectNames {
  /** Scope of the npm packages, such as `@compliance`. */
  readonly scope: string;
  /** Repository URL, such as `https://github.com/owner/name`. */
  readonly repository: string;
}

/**
 * Reads the current names from the manifests in a folder.
 *
 * @example readNames(REPOSITORY_ROOT).scope // '@compliance'
 */
export function readNames(root: string): ProjectNames {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const { name } = read('packages/core/package.json') as { name: string };
  const { repository } = read('package.json') as { repository: { url: string } };
  return { scope: name.split('/')[0]!, repository: repository.url.replace(/^git\+|\.git$/g, '') };
}

const SCOPE = /^@[a-z\d][a-z\d-]*$/;
const REPOSITORY = /^https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+(?<!\.git)$/;

/**
 * Returns a function that replaces names in text: the scope in package names and export conditions, and the repository
 * URL. The function also replaces the owner's name in the URLs of other repositories, in the URL of the sponsors page,
 * and in the names of code owners.
 *
 * @throws RangeError if a new name isn't valid
 * @example renamer(current, { scope: '@acme' })('import "@compliance/core"') // 'import "@acme/core"'
 */
export function renamer(current: ProjectNames, changes: Partial<ProjectNames>): (text: string) => string {
  const names = { ...current, ...changes };
  if (!SCOPE.test(names.scope)) throw new RangeError(`${names.scope} isn't a scope. Enter a scope such as @acme.`);
  if (!REPOSITORY.test(names.repository))
    throw new RangeError(
      `${names.repository} isn't a repository URL. Enter a URL such as https://github.com/acme/compliance.`,
    );
  const [before, after] = [partsOf(current.repository), partsOf(names.repository)];
  // Names such as journald@compliance.conf don't contain the scope.
  const scope = new RegExp(`(?<![\\w.-])${current.scope}(?![\\w-]|\\.\\w)`, 'g');
  return text =>
    text
      .replaceAll(scope, () => names.scope)
      .replaceAll(`${before.host}/${before.owner}/${before.name}`, () => `${after.host}/${after.owner}/${after.name}`)
      .replaceAll(`${before.host}/${before.owner}/`, () => `${after.host}/${after.owner}/`)
      .replaceAll(`${before.host}/sponsors/${before.owner}`, () => `${after.host}/sponsors/${after.owner}`)
      .replaceAll(` @${before.owner}/`, () => ` @${after.owner}/`);
}

function partsOf(repository: string) {
  const [host = '', owner = '', name = ''] = repository.replace('https://', '').split('/');
  return { host, owner, name };
}

/**
 * Renames the project in text files, and returns the files that changed.
 *
 * @param files paths relative to `root`; files that aren't text stay unchanged
 */
export function renameProject(root: string, files: readonly string[], changes: Partial<ProjectNames>): string[] {
  const rename = renamer(readNames(root), changes);
  return files.filter(file => {
    const bytes = readFileSync(join(root, file));
    if (bytes.includes(0)) return false;
    const text = bytes.toString('utf8');
    const renamed = rename(text);
    if (renamed !== text) writeFileSync(join(root, file), renamed);
    return renamed !== text;
  });
}
