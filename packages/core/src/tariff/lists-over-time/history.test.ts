import { describe, expect, it } from 'vitest';
import { EDITION } from '../edition/edition.ts';
import { listHistories } from './history.ts';
import { listsInForce } from './in-force.ts';

describe('the history of a list', () => {
  it('tells the official counts of steel derivatives outside chapter 73', () => {
    const { counts, ...facts } = listHistories().find(({ id }) => id === 'steel-16n')!;
    expect(counts.map(({ from, provisions }) => [from, provisions])).toEqual([
      ['2025-03-12', 12],
      ['2025-06-23', 23],
      ['2025-08-18', 411],
      ['2026-04-06', 0],
    ]);
    expect(counts[2]!.citations).toContain('90 FR 40326 (FR Doc. 2025-15819)');
    expect(facts).toMatchObject({ effective_from: '2025-03-12', effective_to: '2026-04-05' });
  });

  it('agrees with what is in force on every day on which a list changes', () => {
    const histories = listHistories();
    for (const date of new Set(histories.flatMap(({ counts }) => counts.map(({ from }) => from)))) {
      const inForce = new Map(listsInForce(date).lists.map(({ id, listings }) => [id, listings]));
      for (const { id, counts } of histories) {
        const last = counts.filter(({ from }) => from <= date).at(-1);
        expect([date, id, last?.provisions ?? 0]).toEqual([date, id, inForce.get(id) ?? 0]);
      }
    }
  });

  it('has every list, with sources and the words of its caveats', () => {
    const histories = listHistories();
    expect(histories.map(({ id }) => id)).toEqual(EDITION.lists.map(({ id }) => id));
    for (const { sources, caveats, counts } of histories) {
      expect(sources.length).toBeGreaterThan(0);
      expect(counts.length).toBeGreaterThan(0);
      expect([...sources.map(({ title }) => title), ...caveats.map(({ text }) => text)]).not.toContain(undefined);
    }
  });
});
