import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loadNomenclature, type Nomenclature, NomenclatureError } from '@compliance/core/tariff';
import { Failure } from '../failure.ts';

/** The largest export that is unpacked, in bytes: four times the size of today's. */
const MAX_EXPORT = 64 * 1024 * 1024;

/** Reads a text of the USITC, packed by gzip or not. */
export async function readOfficialText(file: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return (packed ? gunzipSync(bytes, { maxOutputLength: MAX_EXPORT }) : bytes).toString('utf8');
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Reads an official HTS export. */
export async function readNomenclature(file: string, edition = editionOf(file)): Promise<Nomenclature> {
  return parseNomenclature(file, await readOfficialText(file), edition);
}

/** Makes a nomenclature of the text of an export, or says why the file is none. */
export function parseNomenclature(file: string, text: string, edition: string): Nomenclature {
  try {
    return loadNomenclature(JSON.parse(text), edition);
  } catch (error) {
    if (!(error instanceof NomenclatureError || error instanceof SyntaxError)) throw error;
    throw new Failure(`${file} is no official HTS export in JSON: ${error.message}`);
  }
}

/** `hts_2026_rev_10.json.gz` is `HTS 2026 Revision 10`; another name stands for itself. */
export function editionOf(file: string): string {
  const name = basename(file).replace(/\.json(\.gz)?$/, '');
  const parts = /^hts_(\d{4})_(basic|revision|rev)_?(\d*)/i.exec(name);
  if (!parts) return name;
  return parts[3] ? `HTS ${parts[1]} Revision ${parts[3]}` : `HTS ${parts[1]} Basic`;
}
