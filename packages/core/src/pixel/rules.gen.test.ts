import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rulesModule } from '../../scripts/gen-rules.ts';

it('the registry is that of the rule folders (else run `pnpm gen`)', () => {
  expect(readFileSync(new URL('./rules.gen.ts', import.meta.url), 'utf8')).toBe(rulesModule());
});
