import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pnpm, ROOT } from './pnpm.ts';

const PUBLISHED = ['core', 'fonts', 'store', 'crawler', 'api', 'cli'];

// Packages are modules only, so that what a CommonJS or a pre-`exports` resolver would find is no fault.
const NOT_SUPPORTED = ['node10', 'node16-cjs'];

const folder = mkdtempSync(join(tmpdir(), 'compliance-pack-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(PUBLISHED)('the tarball of %s', name => {
  const source = join(ROOT, 'packages', name);
  let tarball: ArrayBuffer;
  beforeAll(() => {
    const out = pnpm(['pack', '--json', '--pack-destination', folder], source);
    const { filename } = JSON.parse(out.slice(out.indexOf('{')));
    const bytes = readFileSync(filename);
    tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  });

  it('is without fault to publint', async () => {
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    expect(messages.map(message => formatMessage(message, pkg!, { color: false }))).toEqual([]);
  });

  // The command is run, not imported.
  it.skipIf(name === 'cli')('has types that resolve wherever it runs', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    const problems = 'problems' in analysis ? analysis.problems : [];
    const real = problems.filter(
      problem => !('resolutionKind' in problem) || !NOT_SUPPORTED.includes(problem.resolutionKind),
    );
    expect(real.map(problem => JSON.stringify(problem))).toEqual([]);
  });

  it('holds the built code and nothing of the workshop (when it is meant to hold more or less: vitest run shipping -u)', async () => {
    const listed = createPackageFromTarballData(new Uint8Array(tarball)).listFiles();
    const inside = listed.map(file => file.replace(`/node_modules/@compliance/${name}/`, ''));
    expect(inside.filter(file => /\.test\.|testing|samples|\.schema\.|\.map$|^src\/|\.gen\.json/.test(file))).toEqual(
      [],
    );
    expect(inside).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
    await expect(contents(inside)).toMatchFileSnapshot(`shipped/${name}.txt`);
  });
});

/** A line for each folder with its modules, each of which is a .js and its .d.ts, and a line for each other file. */
function contents(files: readonly string[]): string {
  const modules = files.filter(file => file.endsWith('.js') && files.includes(file.replace(/js$/, 'd.ts')));
  const others = files.filter(file => !modules.includes(file.replace(/\.d\.ts$/, '.js')) && !modules.includes(file));
  const folders = Map.groupBy(modules.toSorted(), file => dirname(file));
  const lines = [...folders].map(
    ([folder, inside]) => `${folder}/: ${inside.map(file => basename(file, '.js')).join(' ')}`,
  );
  return `${[...others.toSorted(), ...lines.toSorted()].join('\n')}\n`;
}
