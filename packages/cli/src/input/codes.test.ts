import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { Failure } from '../failure.ts';
import { readColumn } from './codes.ts';

const read = (bytes: Uint8Array | string) => readColumn(Readable.from([Buffer.from(bytes)]), 'codes.csv');

it('gives the codes of a column as they stand there', async () => {
  expect(await read('SKU,HTS code\nA,"7318.15"\nB,\n')).toEqual(['7318.15', '']);
});

it('reads UTF-16 by its mark', async () => {
  expect(await read(Buffer.from('\ufeffhts\n7318.15\n', 'utf16le'))).toEqual(['7318.15']);
});

it.each([
  ['UTF-16 without its mark', Buffer.from('hts\n7318.15\n', 'utf16le')],
  ['a cell that goes on after its quote with a NUL', 'code\n"1"\0'],
])('refuses %s, and says how to save it', async (_, bytes) => {
  await expect(read(bytes)).rejects.toThrow(new Failure('codes.csv is not text in UTF-8; save it as CSV in UTF-8.'));
});
