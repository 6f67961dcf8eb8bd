import type { FuzzTarget } from '@compliance/fuzz';
import { checkNotes, listsInForce, NomenclatureError } from '../index.ts';
import { parseNotes } from './parse-notes.ts';

const AS_OF = '2026-10-01';
const IN_FORCE = listsInForce(AS_OF).lists.map(({ id }) => id);

/** Fuzz target for `parseNotes` and `checkNotes`. The input is text from Chapter 99 pages. */
export default {
  covers: ['packages/core/src/tariff/history/check-notes.ts', 'packages/core/src/tariff/history/parse-notes.ts'],
  seeds: [
    '38. (c) Buses classifiable in the provisions enumerated in this subdivision:\n     8702.10.31    8702.10.61\n',
    [
      'XXII\n99 - III - 64\fU.S. Notes\n16. (a) Except as provided in heading 9903.82.01:',
      '(c) Lists.\n(i) First:\n     7206    7301.20.10\n(ii) Second:        7307.22.50    7307.23.00\n7216.91.0010',
      'Harmonized Tariff Schedule of the United States Revision 6 (2026)\n   Annotated for Statistical Reporting Purposes',
      'XXII\n99 - III - 65\nU.S. Notes (con.)      7318.15.20    7320.20.10, 9403.99.9045; 9802.00.60',
      '(d) Others.\n(1) Some:\n8401\n(A) (B) More:\n8402',
      'Heading/   Article Description   Rates\n7604',
    ].join('\n'),
    '33. (g) Parts:\r\n8708\r\n(h) Some:\r\n(i) the first:\r\n8401\r\n(ii) of this note\r\n(aa) and\r\n99 - IV - 1\r\n8409',
  ],
  words: ['16. (c) ', '(vii)', '(i) ', '(j) ', '(10) ', ' of this note', '99 - III - 1', '99 - IV - 1', '7216.91.0010'],
  maxLength: 4_000,
  holds(input) {
    const notes = parseNotes(input);
    const names = notes.map(({ name }) => name);
    if (new Set(names).size !== names.length) throw new Error('returns a subdivision twice');
    const digits = input.replaceAll('.', '');
    for (const { name, codes } of notes) {
      if (!/^\d{1,2}(\((?:[a-z]{1,5}|[A-Z]|\d{1,2})\))*$/.test(name)) throw new Error('returns an invalid subdivision');
      for (const code of codes) {
        if (!/^(\d{4}|\d{6}|\d{8}|\d{10})$/.test(code) || code >= '98') throw new Error('reads an invalid code');
        if (!digits.includes(code)) throw new Error('reads a code that is not in the text');
      }
    }
    let check: ReturnType<typeof checkNotes>;
    try {
      check = checkNotes(input, AS_OF);
    } catch (error) {
      if (!(error instanceof NomenclatureError)) throw error;
      if (notes.some(({ codes }) => codes.length > 0)) throw new Error('rejects a note that it can parse');
      return;
    }
    const lists = [...check.compared.flatMap(note => note.lists), ...check.not_found.map(({ list }) => list)];
    if (lists.sort().join() !== [...IN_FORCE].sort().join()) throw new Error('omits a list or includes it twice');
    for (const { listed, printed, gained, lost, subdivisions } of check.compared) {
      if (printed - gained.length !== listed - lost.length) throw new Error('counts the shared codes incorrectly');
      if (gained.some(code => lost.includes(code))) throw new Error('reports a code as both gained and lost');
      if (gained.some(code => !digits.includes(code.replaceAll('.', ''))))
        throw new Error('reports a gained code that is not in the text');
      if (subdivisions.some(name => !names.includes(name)))
        throw new Error('compares with a subdivision that is not in the text');
    }
    const withReturns = input.replace(/\r\n|[\n\r\f]/g, '\r\n');
    if (JSON.stringify(checkNotes(withReturns, AS_OF)) !== JSON.stringify(check))
      throw new Error('depends on the line endings');
  },
} satisfies FuzzTarget;
