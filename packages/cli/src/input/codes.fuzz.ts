import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { lookup } from '@compliance/core/tariff';
import type { FuzzTarget } from '@compliance/fuzz';
import { CliError } from '../cli-error.ts';
import { lookupTable } from '../output/lookup-table.ts';
import { readColumn } from './codes.ts';

/** Maximum number of rows to format as a table. Formatting a row takes a hundred times as long as reading a row. */
const MAX_TABLE_ROWS = 3;

/** Fuzz target for CSV files. Each input character represents one byte. */
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
      if (!(error instanceof CliError)) throw error;
      return;
    }
    const text = bytes.toString();
    for (const code of codes) {
      if (!text.includes(code) && !text.includes(code.replaceAll('"', '""')))
        throw new Error('returned a code that is not in the file');
    }
    if (codes.length > text.split(/\r\n|\n|\r/).length) throw new Error('returned more codes than the file has lines');
    const response = lookup(codes, { asOf: '2026-11-21' });
    if (response.results.some(({ code }, at) => code !== codes[at]))
      throw new Error('returned results in a different order');
    if (codes.length > MAX_TABLE_ROWS) return;
    const table = stripVTControlCharacters(lookupTable().rows(response.results));
    if (/[^\P{Cc}\n]/u.test(table)) throw new Error('printed a terminal control character');
  },
} satisfies FuzzTarget;
