// `pnpm test:refresh` checks that a data refresh doesn't break tests. In a temporary copy of the repository, the
// command changes `known_through` to a later date, adds a draft list, regenerates files from the data set, and runs the
// tests that read the data set. The check takes about two minutes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyRepository, ROOT } from '../src/testing/copy-repository.ts';

const DATASET = 'packages/core/src/tariff/dataset/dataset.json';

/**
 * A date that's later than every date of entry in the tests. In the copy, the lists are current through this date, so
 * tests that expect outdated lists fail.
 */
const KNOWN_THROUGH = '2027-12-31';

/**
 * Returns whether a test reads the data set or a page that is generated from the data set. Excludes tests for
 * individual lists, because those tests contain their own facts.
 */
function readsDataset(file: string): boolean {
  if (!file.endsWith('.test.ts') || /\/(lists|removals)\//.test(file)) return false;
  if (/^(examples|packages\/core\/src\/tariff)\/|\/(readme|[\w-]*generated|examples)\.test\.ts$/.test(file))
    return true;
  return /@compliance\/core\/tariff|known_through/.test(readFileSync(join(ROOT, file), 'utf8'));
}

const copy = mkdtempSync(join(tmpdir(), 'compliance-refresh-'));
try {
  const files = copyRepository(copy);
  const dataset = JSON.parse(readFileSync(join(copy, DATASET), 'utf8'));
  const refreshed = { ...dataset, version: '2027.12.1', known_through: KNOWN_THROUGH };
  writeFileSync(join(copy, DATASET), `${JSON.stringify(refreshed, null, 2)}\n`);
  const run = (command: string, args: readonly string[]) =>
    spawnSync(command, args, { cwd: copy, stdio: 'inherit' }).status ?? 1;
  const steps: [string, string[]][] = [
    [process.execPath, ['packages/dev/scaffold/src/main.ts', 'list', 'demo-list']],
    [process.execPath, ['packages/core/scripts/gen-dataset.ts']],
    [process.execPath, ['--conditions=@compliance/source', 'packages/api/scripts/gen.ts']],
    [
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', ...files.filter(readsDataset), 'lists/demo-list'],
    ],
  ];
  process.exitCode = steps.reduce((failed, [command, args]) => failed || run(command, args), 0);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
