import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildEdition, editionModule } from '../../../scripts/gen-edition.ts';
import { EDITION } from './edition.ts';

describe('the generated edition', () => {
  it('is what the folders say (run `pnpm gen`)', () => {
    expect(readFileSync(new URL('./edition.gen.ts', import.meta.url), 'utf8')).toBe(editionModule());
  });
  it('survives being written as a module', () => {
    expect(EDITION).toEqual(JSON.parse(JSON.stringify(buildEdition())));
  });
});
