import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildDataset, bundledModules } from '../../../scripts/gen-dataset.ts';
import { DATASET } from './dataset.ts';
import { REVIEWED } from './reviewed.ts';

describe('the bundled data set', () => {
  it.each(Object.entries(bundledModules()))(
    'matches the generated text in %s (if not, run `pnpm gen`)',
    (path, text) => {
      expect(readFileSync(new URL(path, import.meta.url), 'utf8')).toBe(text);
    },
  );
  it('contains the complete data set, including the reviewed facts', () => {
    expect({ ...DATASET, reviewed: REVIEWED }).toEqual(JSON.parse(JSON.stringify(buildDataset())));
  });
});
