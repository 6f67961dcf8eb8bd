import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildDataset, bundledModules } from '../../../scripts/gen-dataset.ts';
import { DATASET } from './dataset.ts';
import { REVIEWED } from './reviewed.ts';

describe('the bundled data set', () => {
  it.each(Object.entries(bundledModules()))('is up to date in %s (run `pnpm gen`)', (path, text) => {
    expect(readFileSync(new URL(path, import.meta.url), 'utf8')).toBe(text);
  });
  it('contains the complete data set', () => {
    expect({ ...DATASET, reviewed: REVIEWED }).toEqual(JSON.parse(JSON.stringify(buildDataset())));
  });
});
