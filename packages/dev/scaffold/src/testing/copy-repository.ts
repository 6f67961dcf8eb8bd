import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Repository root. */
export const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));

/**
 * Copies the repository to a folder, without the files that Git ignores. Links the installed packages, and returns the
 * paths of the copied files.
 *
 * @example const files = copyRepository(mkdtempSync(join(tmpdir(), 'copy-')));
 */
export function copyRepository(to: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: ROOT, encoding: 'utf8' });
  const files = listed.split('\0').filter(file => file !== '' && existsSync(join(ROOT, file)));
  for (const file of files) {
    mkdirSync(join(to, dirname(file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(to, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(to, 'node_modules'));
  // The links in a package's node_modules are relative, so links between the repository's packages point into the copy.
  for (const manifest of files.filter(file => file.endsWith('/package.json'))) {
    const modules = join(dirname(manifest), 'node_modules');
    if (existsSync(join(ROOT, modules)))
      cpSync(join(ROOT, modules), join(to, modules), { recursive: true, verbatimSymlinks: true });
  }
  return files;
}
