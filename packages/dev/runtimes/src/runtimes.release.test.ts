import { globSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Consumer, createConsumer } from './consumer.ts';
import { ENVIRONMENTS } from './environments.ts';
import { compile, MATRIX, TYPESCRIPT_VERSIONS } from './matrix.ts';
import { computeResults } from './program/compute-results.ts';

let consumer: Consumer;
beforeAll(() => {
  consumer = createConsumer();
});
afterAll(() => consumer.remove());

/** Returns the disk space that an installed package uses, in MB. */
function diskUse(name: string): number {
  const folder = join(consumer.folder, 'node_modules/@compliance', name);
  const files = globSync('**', { cwd: folder }).map(file => statSync(join(folder, file)).blocks * 512);
  return files.reduce((sum, size) => sum + size, 0) / 1e6;
}

describe('the set of published packages', () => {
  it('needs at most 5 MB of disk space for lookups, and at most 15 MB for certificates in Latin script', () => {
    expect(diskUse('core')).toBeGreaterThan(1);
    expect(diskUse('core')).toBeLessThanOrEqual(5);
    expect(diskUse('core') + diskUse('fonts-latin')).toBeLessThanOrEqual(15);
  });

  it.each(ENVIRONMENTS)('returns the same results and PDF in $name as the source code does', async environment => {
    const { canShapeText } = environment;
    expect(await environment.run(consumer)).toEqual(JSON.parse(JSON.stringify(await computeResults({ canShapeText }))));
  });

  it('has types that this repository’s TypeScript version accepts without `skipLibCheck`', () => {
    compile(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), consumer);
  });

  // These environments need 1.2 GB of downloads, so the tests are skipped here. CI runs them with `pnpm runtimes`.
  it.skip.each(MATRIX)('returns the same results and PDF in $name as the source code does (pnpm runtimes)', () => {});
  it.skip.each(TYPESCRIPT_VERSIONS)('has types that TypeScript %s accepts (pnpm runtimes)', () => {});
});
