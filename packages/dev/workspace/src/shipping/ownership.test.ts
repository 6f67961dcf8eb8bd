import { expect, it } from 'vitest';
import { ownershipOf } from './ownership.ts';

const NAME = '@owner/core';
const REPOSITORY = 'https://git.example/owner/project';
const viewOf = (url?: string) => JSON.stringify({ name: NAME, 'repository.url': url });

it.each([
  ['a package that names our repository', viewOf(`git+${REPOSITORY}.git`), 'ours', 'names this repository'],
  ['a package of another project', viewOf('git+https://github.com/x/y.git'), 'taken', 'github.com/x/y'],
  ['a package without a repository', viewOf(), 'taken', 'another project'],
  ['a package that the registry doesn’t have', '{"error":{"code":"E404"}}', 'unverified', 'npm org ls owner'],
  ['a registry that can’t be reached', '{"error":{"code":"ECONNREFUSED"}}', 'unverified', 'ECONNREFUSED'],
  ['no output', '', 'unverified', 'no response'],
])('reports who owns a package name, or that the owner is unknown: %s', (_, output, status, message) => {
  expect(ownershipOf(NAME, output, REPOSITORY)).toEqual({ status, message: expect.stringContaining(message) });
});
