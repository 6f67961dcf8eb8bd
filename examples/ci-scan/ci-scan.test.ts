import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { compared, copyOf, copyWithCommand, shownIn } from '../testing/example.ts';

it('prints the output shown in the README, fails the job, and writes a SARIF log that GitHub accepts', async () => {
  const { folder, run } = await copyWithCommand('ci-scan');
  const [shown] = await shownIn('ci-scan');
  const { stdout, stderr, exitCode } = await run(shown!.command);
  const [got, wanted] = compared(stdout, shown!);
  expect([got, stderr, exitCode]).toEqual([wanted, '', 1]);

  const { version, runs } = JSON.parse(await readFile(join(folder, 'storefront.sarif'), 'utf8'));
  expect(version).toBe('2.1.0');
  const places = runs[0].results.map(
    (result: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
      result.locations[0]!.physicalLocation.artifactLocation.uri,
  );
  expect(new Set(places)).toEqual(new Set(['shop.example/index.html']));
  expect(await readFile(join(folder, 'storefront.html'), 'utf8')).toContain('UA-12345-1');
});

it('passes the job if the page has no errors', async () => {
  const { folder, run } = await copyWithCommand('ci-scan');
  await writeFile(join(folder, 'good.html'), '<!doctype html><title>Shop</title><h1>Shop</h1>');
  const { exitCode } = await run('node scan.mjs --html good.html --url https://shop.example/');
  expect(exitCode).toBe(0);
});

it('exits with code 2 without writing a log if the storefront is unreachable', async () => {
  const { folder, run } = await copyWithCommand('ci-scan');
  const { stderr, exitCode } = await run('node scan.mjs http://127.0.0.1/');
  expect(exitCode).toBe(2);
  expect(stderr).toContain("Can't scan");
  await expect(readFile(join(folder, 'storefront.sarif'))).rejects.toThrow('ENOENT');
});

it('passes the URL in an environment variable so that the shell doesn’t interpret it', async () => {
  const { permissions, jobs } = parse(await readFile(join((await copyOf('ci-scan')).folder, 'storefront.yml'), 'utf8'));
  const steps: { run?: string; env?: object }[] = jobs.scan.steps;
  expect(steps.find(({ run }) => run?.includes('scan.mjs'))).toMatchObject({
    run: 'node scan.mjs "$STORE_URL"',
    env: { STORE_URL: expect.stringContaining('vars.STORE_URL') },
  });
  expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
  expect(permissions).toEqual({ contents: 'read', 'security-events': 'write' });
});
