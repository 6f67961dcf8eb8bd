import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { REPOSITORY_ROOT } from './pnpm.ts';
import { PUBLISHED } from './published.ts';

const read = (file: string): string => readFileSync(join(REPOSITORY_ROOT, file), 'utf8');
const root = JSON.parse(read('package.json'));
const repository = root.repository.url.replace(/^git\+|\.git$/g, '');

describe('the manifests of the published packages', () => {
  it.each(['clients/node', ...PUBLISHED])('states the supported Node versions of %s', place => {
    expect(JSON.parse(read(`packages/${place}/package.json`)).engines).toEqual({
      node: expect.stringMatching(/^>=\d+/),
    });
  });

  it('gives the Python package the same URLs as the root manifest', () => {
    const [, urls = ''] = /^\[project\.urls\]\n((?:.+\n)+)/m.exec(read('packages/clients/python/pyproject.toml')) ?? [];
    const found = Object.fromEntries([...urls.matchAll(/^(\w+) = "(.+)"$/gm)].map(([, name, url]) => [name, url]));
    const { homepage: Homepage, bugs: Issues, funding } = root;
    const Changelog = `${repository}/blob/main/CHANGELOG.md`;
    expect(found).toEqual({ Homepage, Repository: repository, Issues, Changelog, Funding: funding.url });
  });

  it('uses the repository’s host and owner in the Go module path', () => {
    const [, path] = /^module (.+)$/m.exec(read('packages/clients/go/go.mod'))!;
    expect(`https://${path}`).toBe(repository.replace(/[^/]+$/, 'compliance-go'));
    expect(read('packages/clients/go/README.md')).toContain(`go get ${path}\n`);
  });
});

interface Job {
  permissions: Record<string, string>;
  steps: { uses?: string; run?: string; if?: string; with?: Record<string, unknown> }[];
}

describe('the release workflow', () => {
  const { jobs } = parse(read('.github/workflows/release.yml')) as { jobs: Record<string, Job> };
  const stepsOf = (job: string) => jobs[job]!.steps.map(({ uses, run }) => uses ?? run ?? '');

  it('checks everything that it publishes before it publishes anything', () => {
    const steps = stepsOf('release');
    const check = steps.findIndex(step => step.includes('run publish:check'));
    const publish = steps.findIndex(step => step.startsWith('changesets/action'));
    expect(check).toBeGreaterThan(steps.indexOf('bash .ci/run'));
    expect(publish).toBeGreaterThan(check);
    expect(root.scripts['publish:check']).toBeDefined();
  });

  it('attests the provenance of the npm packages, the Python package, and the container image', () => {
    expect(jobs.release!.permissions['id-token']).toBe('write');
    expect(read('.github/workflows/release.yml')).toContain('-r publish --provenance');
    expect(stepsOf('python')).toContainEqual(expect.stringMatching(/^pypa\/gh-action-pypi-publish@/));
    const { with: image } = jobs.image!.steps.find(({ uses }) => uses?.startsWith('docker/build-push-action'))!;
    expect(image).toMatchObject({ push: true, sbom: true, provenance: 'mode=max' });
    const { with: attested } = jobs.image!.steps.find(({ uses }) =>
      uses?.startsWith('actions/attest-build-provenance'),
    )!;
    expect(attested).toMatchObject({ 'subject-digest': expect.stringContaining('outputs.digest') });
  });

  it('signs release tags', () => {
    expect(stepsOf('tags').join('\n')).toMatch(/git tag --sign/);
  });

  it('pins every action to a version', () => {
    const used = Object.keys(jobs)
      .flatMap(stepsOf)
      .filter(step => /^[\w-]+\/[\w-]+@/.test(step));
    expect(used.length).toBeGreaterThan(5);
    for (const step of used) expect(step).toMatch(/@(v\d+(\.\d+)*|release\/v\d+|[0-9a-f]{40})$/);
  });
});

describe('the nightly workflow', () => {
  it('runs existing scripts with the repository’s pnpm version', () => {
    const { jobs } = parse(read('.github/workflows/nightly.yml'));
    const { strategy, steps } = jobs.long;
    for (const script of strategy.matrix.script) expect(Object.keys(root.scripts)).toContain(script);
    expect(steps.at(-1).run).toBe(`npx --yes ${root.packageManager} run \${{ matrix.script }}`);
  });
});
