import { describe, expect, it } from 'vitest';
import { DATASET, type Dataset } from '../dataset/dataset.ts';
import { bundledDataset } from '../dataset/reviewed.ts';
import { compareDatasets, isSameData } from './compare-datasets.ts';

/** The data set fields whose keys are IDs. */
const BY_ID = ['.programs', '.sources', '.conditions', '.caveats'];

const complete = bundledDataset();
const changed = (change: (dataset: Dataset) => void) => {
  const copy = structuredClone(complete);
  change(copy);
  return compareDatasets(complete, copy);
};

describe('compareDatasets', () => {
  it('finds no differences between equal data sets, regardless of their versions and field order', () => {
    const reordered = JSON.parse(JSON.stringify(complete), (_, value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    );
    expect(isSameData(compareDatasets(complete, { ...reordered, version: '2027.1.1' }))).toBe(true);
    expect(isSameData(compareDatasets(DATASET, DATASET))).toBe(true);
  });

  it('reports a single change for a provision whose end date was set', () => {
    const diff = changed(({ lists }) => {
      lists[0]!.batches[0]!.effective_to = '2026-12-31';
    });
    expect(diff.provisions).toHaveLength(complete.lists[0]!.batches[0]!.provisions.length);
    expect(diff.provisions[0]).toMatchObject({
      list: 'aluminum-16c-ii',
      before: { effective_to: null },
      after: { effective_to: '2026-12-31' },
    });
    expect([diff.terms, diff.lists, diff.headings]).toEqual([[], [], []]);
  });

  it('reports a new list with its terms and provisions, a new program, and a changed heading', () => {
    const diff = changed(({ lists, programs, headings, sources }) => {
      lists.push({ ...structuredClone(lists[0]!), id: 'tungsten-44b', program: 'tungsten' });
      programs.tungsten = 'tungsten';
      headings[3]!.rate_pct = 99;
      headings.push(headings.shift()!);
      sources.p11021!.title = 'Other';
    });
    expect(diff.programs).toEqual([{ name: 'tungsten', before: null, after: 'tungsten' }]);
    expect(diff.lists).toMatchObject([{ name: 'tungsten-44b', before: null }]);
    expect(diff.terms).toMatchObject([{ list: 'tungsten-44b', before: null }]);
    expect(new Set(diff.provisions.map(({ list }) => list))).toEqual(new Set(['tungsten-44b']));
    expect(diff.headings).toMatchObject([{ after: { rate_pct: 99 } }]);
    expect(diff.headings_reordered).toBe(true);
    expect(diff.sources).toMatchObject([{ name: 'p11021', after: { title: 'Other' } }]);
  });

  it('reports a change regardless of which kind of fact in a data set changed', () => {
    const { version: _, format: __, known_through: ___, latest_material: ____, sha256: _____, ...facts } = complete;
    const paths = new Map<string, string[]>();
    const visit = (value: unknown, path: string[], kind: string): void => {
      if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
        if (!paths.has(kind)) paths.set(kind, path);
        return;
      }
      for (const [key, child] of Object.entries(value))
        visit(child, [...path, key], `${kind}.${Array.isArray(value) || BY_ID.includes(kind) ? '*' : key}`);
    };
    visit(facts, [], '');
    expect(paths.size).toBeGreaterThan(60);
    const missed = [...paths.values()].filter(path => {
      const diff = changed(copy => {
        const key = path.at(-1)!;
        // biome-ignore lint/suspicious/noExplicitAny: the path leads to any kind of value
        const parent = path.slice(0, -1).reduce((value: any, each) => value[each], copy);
        parent[key] = Array.isArray(parent[key]) ? ['changed'] : 'changed';
      });
      return isSameData(diff);
    });
    expect(missed).toEqual([]);
  });
});
