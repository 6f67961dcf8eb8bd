import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PUBLISHED = ['core', 'fonts', 'store', 'crawler', 'api', 'cli'];

// Packages are modules only, so that what a CommonJS or a pre-`exports` resolver would find is no fault.
const NOT_SUPPORTED = ['node10', 'node16-cjs'];

const folder = mkdtempSync(join(tmpdir(), 'compliance-pack-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The pnpm that runs this, or the pinned one. */
function pnpm(args: string[], cwd: string): string {
  const own = process.env.npm_execpath;
  const [command, first] =
    own?.includes('pnpm') && !own.endsWith('.cjs') ? [own, []] : ['npx', ['--yes', 'pnpm@12.21.0']];
  return execFileSync(command, [...first, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

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

  it('holds the built code and nothing of the workshop', () => {
    const listed = createPackageFromTarballData(new Uint8Array(tarball)).listFiles();
    const inside = listed.map(file => file.replace(`/node_modules/@compliance/${name}/`, ''));
    expect(inside.filter(file => /\.test\.|testing|\.schema\.|^src\/|\.gen\.json/.test(file))).toEqual([]);
    expect(inside).toContain('LICENSE');
    expect(inside).toContain('README.md');
    expect(inside.some(file => file.startsWith('dist/') && file.endsWith('.d.ts'))).toBe(true);
  });
});
