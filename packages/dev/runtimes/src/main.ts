// Runs the published packages in every supported runtime, bundler, and TypeScript version. If an environment's packages
// aren't available for this platform, skips the environment, or fails if CI=true.
import { isDeepStrictEqual } from 'node:util';
import { pnpm } from '@compliance/workspace/pnpm';
import { createConsumer } from './consumer.ts';
import { ENVIRONMENTS } from './environments.ts';
import { compile, MATRIX, MATRIX_FOLDER, TYPESCRIPT_VERSIONS, typescriptFolder } from './matrix.ts';
import { computeResults } from './program/compute-results.ts';

const [filter = ''] = process.argv.slice(2);
pnpm(['install', '--frozen-lockfile', '--ignore-scripts'], MATRIX_FOLDER);
const consumer = createConsumer(MATRIX_FOLDER);
process.on('exit', () => consumer.remove());

const checks = [
  ...[...ENVIRONMENTS, ...MATRIX].map(({ name, canShapeText, run }) => ({
    name,
    run: async () => {
      const expected: unknown = JSON.parse(JSON.stringify(await computeResults({ canShapeText })));
      if (!isDeepStrictEqual(await run(consumer), expected))
        throw new Error('The results differ from the results of running the source code.');
    },
  })),
  ...TYPESCRIPT_VERSIONS.map(version => ({
    name: `TypeScript ${version}`,
    run: () => compile(typescriptFolder(version), consumer),
  })),
];

let failures = 0;
for (const { name, run } of checks.filter(({ name }) => name.includes(filter))) {
  const started = performance.now();
  const outcome = await Promise.resolve()
    .then(run)
    .then(
      () => 'ok',
      (error: NodeJS.ErrnoException) =>
        ['MODULE_NOT_FOUND', 'ENOENT'].includes(error.code ?? '')
          ? 'skipped: not available on this platform'
          : `FAILED: ${error.message}`,
    );
  if (outcome !== 'ok' && (process.env.CI || !outcome.startsWith('skipped'))) failures++;
  process.stdout.write(
    `${name.padEnd(44)} ${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${outcome}\n`,
  );
}
process.exit(failures === 0 ? 0 : 1);
