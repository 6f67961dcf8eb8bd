import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { CliError } from '../cli-error.ts';
import { readColumn } from './codes.ts';

const read = (bytes: Uint8Array | string) => readColumn(Readable.from([Buffer.from(bytes)]), 'codes.csv');

it('reads the codes in a column without changing them', async () => {
  expect(await read('SKU,HTS code\nA,"7318.15"\nB,\n')).toEqual(['7318.15', '']);
});

it('reads UTF-16 files with a byte order mark', async () => {
  expect(await read(Buffer.from('\ufeffhts\n7318.15\n', 'utf16le'))).toEqual(['7318.15']);
});

it.each([
  ['UTF-16 without a byte order mark', Buffer.from('hts\n7318.15\n', 'utf16le')],
  ['UTF-16 with half of a surrogate pair', Buffer.from('\ufeffhts\n7318.15\ud800\n', 'utf16le')],
  ['UTF-16 that ends inside a character', Buffer.from('\ufeffhts\n7318.15', 'utf16le').subarray(0, -1)],
  ['a quoted cell followed by a NUL character', 'code\n"1"\0'],
])('rejects %s and explains how to save the file in a supported format', async (_, bytes) => {
  await expect(read(bytes)).rejects.toThrow(
    new CliError("codes.csv isn't UTF-8 text. Save the file as a UTF-8 encoded CSV file."),
  );
});
