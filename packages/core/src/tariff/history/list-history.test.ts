import { describe, expect, it } from 'vitest';
import { DATASET } from '../dataset/dataset.ts';
import { PROVISIONS } from '../dataset/testing/bundled.ts';
import { listsInForce } from './in-force.ts';
import { listHistories } from './list-history.ts';

describe('listHistories', () => {
  it('returns the official provision counts for steel derivative articles outside chapter 73', () => {
    const { counts, ...facts } = listHistories().find(({ id }) => id === 'steel-16n')!;
    expect(counts.map(({ from, provisions }) => [from, provisions])).toEqual([
      ['2025-03-12', 12],
      ['2025-06-23', 23],
      ['2025-08-18', 411],
      ['2026-04-06', 0],
    ]);
    expect(counts.map(({ citations }) => citations)).toEqual([
      ['Proclamation 10896 (90 FR 9817)'],
      ['BIS notice, effective 2025-06-23'],
      ['90 FR 40326 (FR Doc. 2025-15819)'],
      [],
    ]);
    expect(facts).toMatchObject({ effective_from: '2025-03-12', effective_to: '2026-04-05', verified_from: null });
  });

  it('returns a list’s duties in chronological order', () => {
    const { terms } = listHistories().find(({ id }) => id === 'steel-16n')!;
    expect(terms).toEqual([
      expect.objectContaining({ effective_from: '2025-03-12', effective_to: '2025-06-03', rate_pct: 25 }),
      expect.objectContaining({ effective_from: '2025-06-04', effective_to: '2026-04-05', rate_pct: 50 }),
    ]);
  });

  it('returns the first and last dates when each list has a provision in force', () => {
    for (const { id, effective_from, effective_to } of listHistories()) {
      const spans = PROVISIONS.filter(({ list }) => list.id === id)
        .flatMap(({ listings }) => listings)
        .filter(span => span.effective_to === null || span.effective_from <= span.effective_to);
      const ends = spans.map(span => span.effective_to ?? 'open').sort();
      expect([id, effective_from, effective_to ?? 'open']).toEqual([
        ...[id, spans.map(span => span.effective_from).sort()[0], ends.at(-1)],
      ]);
    }
  });

  it('returns the earliest date for which provisions were verified against an official text from that time', () => {
    expect(listHistories().find(({ id }) => id === 'buses-38c')!.verified_from).toBe('2026-04-23');
  });

  it('returns term, batch, and provision caveats without duplicates', () => {
    const caveats = (list: string) =>
      listHistories()
        .find(({ id }) => id === list)!
        .caveats.map(({ id }) => id);
    expect(caveats('aluminum-16c-ix').sort()).toEqual([
      ...['annex_not_read', 'heading_not_published', 'scheduled', 'stale_statistical_number'],
    ]);
    expect(caveats('copper-16c-v')).toEqual([]);
  });

  it('matches listsInForce on every date when a list changes', () => {
    const histories = listHistories();
    for (const date of new Set(histories.flatMap(({ counts }) => counts.map(({ from }) => from)))) {
      const inForce = new Map(listsInForce(date).lists.map(({ id, listings }) => [id, listings]));
      for (const { id, counts } of histories) {
        const last = counts.filter(({ from }) => from <= date).at(-1);
        expect([date, id, last?.provisions ?? 0]).toEqual([date, id, inForce.get(id) ?? 0]);
      }
    }
  });

  it('returns every list with its sources and caveats', () => {
    const histories = listHistories();
    expect(histories.map(({ id }) => id)).toEqual(DATASET.lists.map(({ id }) => id));
    for (const { sources, caveats, counts } of histories) {
      expect(sources.length).toBeGreaterThan(0);
      expect(counts.length).toBeGreaterThan(0);
      expect([...sources.map(({ title }) => title), ...caveats.map(({ text }) => text)]).not.toContain(undefined);
    }
  });
});
