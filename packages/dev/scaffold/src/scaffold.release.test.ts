import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { copyRepository, ROOT } from './testing/copy-repository.ts';

/** Scaffolds, each with the packages whose `gen` scripts to run and the tests that the created files must pass. */
const KINDS = [
  {
    kind: 'operation',
    name: 'tariff-example',
    gen: ['packages/api', 'packages/clients/vectors'],
    tests: ['packages/api/src/operations/tariff-example', 'packages/clients/vectors/src/clients.test.ts'],
    // One variant of each client is enough, because all variants are generated from the same document.
    only: '^tariff.example|tariff-example|(Node \\S+ esm|Python \\S+ sync|Go \\S+) .*(tariff.example|method for each operation)',
  },
  {
    kind: 'rule',
    name: 'meta_pixel_example',
    gen: ['packages/core', 'packages/api'],
    tests: ['packages/core/src/pixel/rules/rules.test.ts'],
    only: 'meta_pixel_example',
  },
  {
    kind: 'list',
    name: 'scaffold-test-list',
    gen: ['packages/core', 'packages/api'],
    tests: ['packages/core/src/tariff/dataset/lists/scaffold-test-list', 'packages/core/src/tariff/dataset/generated'],
    only: 'scaffold-test-list is a draft|dataset.gen.ts',
  },
];

/** Pattern for the files that `pnpm gen` generates, including those without `.gen.` in their names. */
const GENERATED =
  /\.gen\.|^docs\/|^packages\/clients\/python\/src\/compliance\/(models|aio|_operations|_aio_operations)\.py$/;

const copy = mkdtempSync(join(tmpdir(), 'compliance-scaffold-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function run(args: string[], folder = '.'): string {
  const { CI: _, VITEST: __, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: join(copy, folder),
    env,
    encoding: 'utf8',
  });
  expect(status, `${args.join(' ')}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

describe('pnpm new', () => {
  const files = copyRepository(copy);

  it.each(KINDS)(
    'creates at most 3 files for a new $kind, and the tests pass after `pnpm gen` without further edits',
    ({ kind, name, gen, tests, only }) => {
      const output = run(['packages/dev/scaffold/src/main.ts', kind, name]);
      const created = [...output.matchAll(/^ {2}(\S+)$/gm)].map(([, file]) => file!);
      expect(created.length).toBeGreaterThan(0);
      expect(created.length).toBeLessThanOrEqual(3);
      for (const folder of gen) {
        const { scripts } = JSON.parse(readFileSync(join(copy, folder, 'package.json'), 'utf8'));
        for (const command of scripts.gen.split(' && ')) run(command.split(' ').slice(1), folder);
      }
      const changed = files.filter(file => !readFileSync(join(ROOT, file)).equals(readFileSync(join(copy, file))));
      expect(changed.filter(file => !GENERATED.test(file))).toEqual([]);
      run(['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', '-t', only, ...tests]);
    },
    300_000,
  );
});
