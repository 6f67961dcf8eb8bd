import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildDataset, datasetModule, reviewedModule } from '../../../scripts/gen-dataset.ts';
import { DATASET } from './dataset.ts';

describe('dataset.gen.ts', () => {
  it('is up to date (run `pnpm gen`)', () => {
    expect(readFileSync(new URL('./dataset.gen.ts', import.meta.url), 'utf8')).toBe(datasetModule());
  });
  it('contains the complete data set', () => {
    expect(DATASET).toEqual(JSON.parse(JSON.stringify(buildDataset())));
  });
});

describe('reviewed.gen.ts', () => {
  it('is up to date (run `pnpm gen`)', () => {
    expect(readFileSync(new URL('../history/reviewed.gen.ts', import.meta.url), 'utf8')).toBe(reviewedModule());
  });
});
