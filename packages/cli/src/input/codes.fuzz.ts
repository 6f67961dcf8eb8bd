import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { lookup } from '@compliance/core/tariff';
import type { FuzzTarget } from '@compliance/fuzz';
import { Failure } from '../failure.ts';
import { lookupTable } from '../output/lookup-table.ts';
import { readColumn } from './codes.ts';

/** Wrapping a table takes a hundred times as long as reading a file. */
const MOST_SHOWN = 3;

/** The bytes of a CSV file, a character each. */
export default {
  covers: ['packages/cli/src/input/codes.ts', 'packages/cli/src/output/'],
  seeds: [
    'SKU,HTS code,Title\nA-1,7318.15.2061,"Bolts, steel"\nA-2,,\n',
    '\xef\xbb\xbfhts;x\r\n7601;"a ""b"""\r\n',
    'code\n"7318.15\n2061"\n\n8471\n',
  ],
  words: ['HTS code', 'hts_code', 'HS Code', 'code', '""', '\r\n', '\xef\xbb\xbf', '\x1b[2J', '\xc2\x9b'],
  maxLength: 2_000,
  async holds(input) {
    const bytes = Buffer.from(input, 'latin1');
    let codes: string[];
    try {
      codes = await readColumn(Readable.from([bytes]), 'codes.csv');
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return;
    }
    const text = bytes.toString();
    for (const code of codes) {
      if (!text.includes(code) && !text.includes(code.replaceAll('"', '""')))
        throw new Error('reads what is not there');
    }
    if (codes.length > text.split(/\r\n|\n|\r/).length) throw new Error('reads more codes than there are lines');
    const answer = lookup(codes, { asOf: '2026-11-21' });
    if (answer.results.some(({ code }, at) => code !== codes[at])) throw new Error('answers in another order');
    if (codes.length > MOST_SHOWN) return;
    const shown = stripVTControlCharacters(lookupTable(answer));
    if (/[^\P{Cc}\n]/u.test(shown)) throw new Error('writes what steers a terminal');
  },
} satisfies FuzzTarget;
