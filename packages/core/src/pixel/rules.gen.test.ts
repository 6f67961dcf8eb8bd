import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../../..');
const fresh = mkdtempSync(join(tmpdir(), 'rules-'));
afterAll(() => rmSync(fresh, { recursive: true }));

const written = (folder: string): Record<string, string> => {
  const files = readdirSync(join(folder, 'docs/rules')).map(file => `docs/rules/${file}`);
  return Object.fromEntries(
    ['packages/core/src/pixel/rules.gen.ts', ...files].map(f => [f, readFileSync(join(folder, f), 'utf8')]),
  );
};

it('the registry and the documentation are those of the rule folders (else run `pnpm gen`)', () => {
  execFileSync(process.execPath, [join(root, 'packages/core/scripts/gen-rules.ts'), fresh]);
  expect(written(root)).toEqual(written(fresh));
});
