import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loadNomenclature, type Nomenclature, NomenclatureError } from '@compliance/core/tariff';
import { CliError, fileError } from '../cli-error.ts';

/** Maximum size, in bytes, of a decompressed HTS export (four times the current size). */
const MAX_EXPORT = 64 * 1024 * 1024;

/** Reads a text file published by the USITC, either uncompressed or compressed with gzip. */
export async function readOfficialText(file: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return (isGzip ? gunzipSync(bytes, { maxOutputLength: MAX_EXPORT }) : bytes).toString('utf8');
  } catch (error) {
    throw fileError(`Can't read ${file}`, error);
  }
}

/** Reads an official HTS export. */
export async function readNomenclature(file: string, edition = editionOf(file)): Promise<Nomenclature> {
  return parseNomenclature(file, await readOfficialText(file), edition);
}

/** Parses an HTS export, or throws an error that explains why the export is invalid. */
export function parseNomenclature(file: string, text: string, edition: string): Nomenclature {
  try {
    return loadNomenclature(JSON.parse(text), edition);
  } catch (error) {
    if (!(error instanceof NomenclatureError || error instanceof SyntaxError)) throw error;
    throw new CliError(`${file} isn't an official HTS export in JSON: ${error.message}`);
  }
}

/**
 * Derives the edition from a filename: `hts_2026_rev_10.json.gz` → `HTS 2026 Revision 10`. If the filename has any
 * other format, returns the name without its extension.
 */
export function editionOf(file: string): string {
  const name = basename(file).replace(/\.json(\.gz)?$/, '');
  const parts = /^hts_(\d{4})_(basic|revision|rev)_?(\d*)/i.exec(name);
  if (!parts) return name;
  return parts[3] ? `HTS ${parts[1]} Revision ${parts[3]}` : `HTS ${parts[1]} Basic`;
}
