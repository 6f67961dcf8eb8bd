import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { REPOSITORY_ROOT } from './pnpm.ts';
import { readNames, renameProject, renamer } from './rename.ts';

const CURRENT = { scope: '@compliance', repository: 'https://github.com/portfolio-compliance/portfolio-compliance' };
const CHANGES = { scope: '@acme', repository: 'https://git.example/acme/duties' };

describe('renaming the project', () => {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-rename-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    [`import '@compliance/core/tariff';`, `import '@acme/core/tariff';`],
    ['/^@compliance\\/(core|fonts)$/', '/^@acme\\/(core|fonts)$/'],
    [`group !== '@compliance'`, `group !== '@acme'`],
    ['journald@compliance.conf', 'journald@compliance.conf'],
    ['desk@compliance.example', 'desk@compliance.example'],
    ['git+https://github.com/portfolio-compliance/portfolio-compliance.git', 'git+https://git.example/acme/duties.git'],
    ['go get github.com/portfolio-compliance/compliance-go', 'go get git.example/acme/compliance-go'],
    ['https://github.com/sponsors/portfolio-compliance', 'https://git.example/sponsors/acme'],
    ['* @portfolio-compliance/maintainers', '* @acme/maintainers'],
    ['npm install portfolio-compliance', 'npm install portfolio-compliance'],
  ])('rewrites %s to %s', (text, expected) => {
    expect(renamer(CURRENT, CHANGES)(text)).toBe(expected);
    expect(renamer(CURRENT, {})(text)).toBe(text);
  });

  it.each([
    { scope: 'acme' },
    { scope: '@Acme' },
    { scope: '@acme/core' },
    { repository: 'github.com/acme/x' },
    { repository: 'https://github.com/acme' },
    { repository: 'https://github.com/acme/x.git' },
  ])('rejects the invalid name %j', changes => {
    expect(() => renamer(CURRENT, changes)).toThrow(/Enter a (scope|URL) such as/);
  });

  it('renames packages so that they still pass the type check', () => {
    expect(readNames(REPOSITORY_ROOT)).toEqual(CURRENT);
    const places = ['package.json', 'tsconfig.json', 'packages/core', 'packages/contract'];
    const list = execFileSync('git', ['ls-files', ...places], { cwd: REPOSITORY_ROOT, encoding: 'utf8' });
    const files = list.trim().split('\n');
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(REPOSITORY_ROOT, file), join(folder, file));
    }
    for (const place of ['', 'packages/core', 'packages/contract']) linkDependencies(place);

    const changed = renameProject(folder, files, CHANGES);
    expect(changed).toEqual(expect.arrayContaining(['tsconfig.json', 'packages/contract/src/lookup.ts']));
    const remaining = files.filter(file => /@compliance\b(?!\.)/.test(readFileSync(join(folder, file), 'utf8')));
    expect(remaining).toEqual([]);
    const include = ['packages/contract/src/*.ts', 'packages/core/src/**/*.d.ts'];
    const config = { extends: './tsconfig.json', include, exclude: ['**/*.test.ts'] };
    writeFileSync(join(folder, 'tsconfig.contract.json'), JSON.stringify(config));
    const tsc = join(REPOSITORY_ROOT, 'node_modules/.bin/tsc');
    const args = ['-p', 'tsconfig.contract.json', '--listFiles'];
    const checked = execFileSync(tsc, args, { cwd: folder, encoding: 'utf8' });
    expect(checked).toContain('packages/core/src/entry/index.ts');
  });

  /** Links a package's dependencies, and links the renamed core package under its new name. */
  function linkDependencies(place: string): void {
    const [from, to] = [REPOSITORY_ROOT, folder].map(root => join(root, place, 'node_modules')) as [string, string];
    mkdirSync(join(to, '@acme'), { recursive: true });
    symlinkSync(join(folder, 'packages/core'), join(to, '@acme/core'));
    for (const name of readdirSync(from).filter(name => !name.startsWith('.') && name !== CURRENT.scope))
      symlinkSync(join(from, name), join(to, name));
  }
});
