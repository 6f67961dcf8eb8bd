import { expect, it } from 'vitest';
import { DATASET } from '../dataset/dataset.ts';
import { indexOf } from '../dataset/dataset-index.ts';
import { listingOn, listingsOf } from '../dataset/provisions.ts';
import { PROVISIONS } from '../dataset/testing/bundled.ts';
import { matchOf } from './match.ts';

it('returns a provision’s next rate unless the provision is removed from the list first', () => {
  const sofa = PROVISIONS.find(({ list }) => list.id === 'upholstered-furniture-37d')!;
  const next = (effective_to: string | null) => {
    const batch = { ...sofa.batch, effective_to };
    const leaving = { ...sofa, batch, listings: listingsOf(sofa.list, batch) };
    return matchOf(
      leaving,
      listingOn(leaving, '2026-11-21')!,
      'full',
      { index: indexOf(DATASET), date: '2026-11-21', origin: null },
      [],
    ).next;
  };
  expect(next(null)).toMatchObject({ effective_from: '2027-01-01', rate_pct: 30 });
  expect(next('2027-01-01')).toMatchObject({ effective_from: '2027-01-01', rate_pct: 30 });
  expect(next('2026-12-31')).toBeNull();
  expect(next('2026-12-01')).toBeNull();
});
