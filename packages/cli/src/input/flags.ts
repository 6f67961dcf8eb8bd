import { readFile } from 'node:fs/promises';
import type { EfilingFlag, FlagList } from '@compliance/core/entry';
import type { LookupResult } from '@compliance/core/tariff';
import { CliError, fileError } from '../cli-error.ts';

/** The HTS codes that CPSC flags for eFiling, with the date and the source of the list. */
export interface CodeFlags extends Pick<FlagList, 'as_of' | 'source'> {
  /** Returns a result's flag, or null if its code isn't valid. */
  of(result: LookupResult): EfilingFlag | null;
}

/**
 * Reads a JSON file with the HTS codes that CPSC flags for eFiling.
 *
 * @throws CliError if the file can't be read or isn't valid
 */
export async function readFlags(file: string): Promise<CodeFlags> {
  // Import the certificate code only here, because lookups without flags don't need it and it's slow to load.
  const { efilingFlag, parseFlagList } = await import('@compliance/core/entry');
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw fileError(`Can't read ${file} as JSON`, error);
  }
  try {
    const list = parseFlagList(value);
    return {
      ...{ as_of: list.as_of, source: list.source },
      of: ({ normalized }) => (normalized === null ? null : efilingFlag(normalized.replaceAll('.', ''), list)),
    };
  } catch (error) {
    throw new CliError(`${file} isn't a valid list of flagged codes. ${(error as RangeError).message}`, 2);
  }
}
