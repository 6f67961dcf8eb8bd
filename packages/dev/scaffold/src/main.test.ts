import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import list from './list.ts';

const pnpmNew = (...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { encoding: 'utf8' });

it('creates a draft list and its test', () => {
  const [json, test] = Object.values(list.files('demo-list'));
  expect(JSON.parse(json!)).toMatchObject({ id: 'demo-list', draft: true });
  expect(test).toContain("describeList('demo-list', {");
});

it.each(['Demo-list', 'demo_list', 'demo list', 'demo-', '-demo', '../demo'])('rejects the list name %j', name => {
  const { status, stderr } = pnpmNew('list', name);
  expect([status, stderr]).toEqual([
    2,
    `${JSON.stringify(name)} isn't a valid list name. Use a name such as steel-16c-xii.\n`,
  ]);
});

it('refuses to overwrite an existing list', () => {
  const { status, stderr } = pnpmNew('list', 'steel-16n');
  expect([status, stderr]).toEqual([2, expect.stringMatching(/lists\/steel-16n\/list\.json already exists\.$/m)]);
});

it.each([[[]], [['thing', 'demo']], [['testing', 'demo']]])('prints the usage message for the arguments %j', args => {
  expect(pnpmNew(...args)).toMatchObject({ status: 2, stderr: 'Usage: pnpm new list|operation|rule NAME\n' });
});

it('prints an example if the name is missing', () => {
  expect(pnpmNew('list')).toMatchObject({ status: 2, stderr: 'Usage: pnpm new list NAME, such as steel-16c-xii\n' });
});
