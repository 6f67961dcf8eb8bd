import { expect, it } from 'vitest';
import { ALL_PROGRAMS, excludes } from './programs.ts';

const WOOD = ['timber', 'upholstered_furniture', 'kitchen_cabinets'];

it.each([
  ['autos', ['steel', 'aluminum', 'copper', ...WOOD]],
  ['auto_parts', ['steel', 'aluminum', 'copper', ...WOOD]],
  ['trucks', ['steel', 'aluminum', ...WOOD]],
  ['buses', ['steel', 'aluminum', ...WOOD]],
  ['truck_parts', ['steel', 'aluminum', ...WOOD]],
  ['semiconductors', ALL_PROGRAMS.filter(program => program !== 'semiconductors')],
  ...['steel', 'aluminum', 'copper', ...WOOD, 'pharmaceuticals', 'uas', 'polysilicon'].map(program => [program, []]),
] as [(typeof ALL_PROGRAMS)[number], string[]][])(
  'where the duty on %s is owed, none is owed on %j',
  (program, others) => {
    expect(ALL_PROGRAMS.filter(other => excludes(program, other)).sort()).toEqual([...others].sort());
  },
);
