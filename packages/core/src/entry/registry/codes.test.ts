import { describe, expect, it } from 'vitest';
import { citationOf, codeOf, parseCodeList } from './codes.ts';

const list = parseCodeList({
  ...{ as_of: '2026-11-20', source: 'a list that we made up for this test' },
  codes: { '§ 1203': 'A', '16 CFR 1203': 'B', 'Our own rule': 'C', 'Another rule': 'C' },
});

describe('a list of citation codes', () => {
  it('has a code for each spelling of a listed rule’s citation', () => {
    for (const citation of ['16 CFR 1203', '16 C.F.R. part 1203', '§ 1203']) expect(codeOf(citation, list)).toBe('A');
  });

  it('matches an unknown rule only if the spelling is identical', () => {
    expect(codeOf('Our own rule', list)).toBe('C');
    expect(codeOf('our own rule', list)).toBeNull();
    expect(codeOf('16 CFR 1512', list)).toBeNull();
  });

  it('returns the first citation for a repeated code', () => {
    expect([citationOf('C', list), citationOf('B', list), citationOf('D', list)]).toEqual([
      ...['Our own rule', '16 CFR 1203', null],
    ]);
  });
});
