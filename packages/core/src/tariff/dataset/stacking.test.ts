import { describe, expect, it } from 'vitest';
import { DATASET } from './dataset.ts';
import { ALL_PROGRAMS, METALS, type Program } from './programs.ts';
import { pairRelation, unstatedOverlaps } from './stacking.ts';

const WOOD = ['timber', 'upholstered_furniture', 'kitchen_cabinets'];

describe('stacking', () => {
  it.each([
    ['autos', [...METALS]],
    ['auto_parts', [...METALS, ...WOOD]],
    ['trucks', [...METALS]],
    ['buses', [...METALS]],
    ['truck_parts', [...METALS, ...WOOD]],
    ['semiconductors', [...METALS, 'autos', 'auto_parts', 'trucks', 'buses', 'truck_parts']],
    ...[...METALS, ...WOOD, 'pharmaceuticals', 'uas', 'polysilicon'].map(program => [program, []]),
  ] as [Program, string[]][])('gives the %s duty precedence over exactly these duties: %j', (program, others) => {
    const excluded = ALL_PROGRAMS.filter(
      other => pairRelation(DATASET.stacking, program, other, '2026-10-01')?.winner === program,
    );
    expect(excluded.sort()).toEqual([...others].sort());
  });

  it('applies each metal’s duty separately through 2026-04-05 and only one heading after that date', () => {
    const relation = (date: string) => pairRelation(DATASET.stacking, 'aluminum', 'steel', date)?.stacking.relation;
    expect([relation('2026-04-05'), relation('2026-04-06')]).toEqual(['both', 'one_heading']);
  });

  it('has a stacking rule for every overlap between two programs in the data set', () => {
    expect(unstatedOverlaps(DATASET.lists, DATASET.stacking)).toEqual([]);
  });

  it('reports an overlap if its stacking rule is missing', () => {
    for (const entry of DATASET.stacking) {
      const others = DATASET.stacking.filter(other => other !== entry);
      const used = unstatedOverlaps(DATASET.lists, others).length > 0;
      const isGeneral = ['Proclamation 10976', 'U.S. note'].some(text => entry.citation.includes(text));
      expect(used || isGeneral, entry.text).toBe(true);
    }
    const [first] = unstatedOverlaps(DATASET.lists, []);
    expect(first!.provisions).toHaveLength(2);
  });
});
