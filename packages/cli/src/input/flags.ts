import { readFile } from 'node:fs/promises';
import type { EfilingFlag, FlagList } from '@compliance/core/entry';
import type { LookupResult } from '@compliance/core/tariff';
import { CliError, fileError } from '../cli-error.ts';

/** The HTS codes that CPSC flags for eFiling, with the list's date and source. */
export interface CodeFlags extends Pick<FlagList, 'as_of' | 'source'> {
  /** Returns the flag for a lookup result, or null if the result's code isn't valid. */
  of(result: LookupResult): EfilingFlag | null;
}

/**
 * Reads a list of flagged codes from a JSON file. Returns the list's date and source, and a function that returns the
 * flag for a lookup result.
 *
 * @throws CliError if the file can't be read or isn't valid
 */
export async function readFlags(file: string): Promise<CodeFlags> {
  const list = await readFlagList(file);
  const { withEfilingFlags } = await import('@compliance/core/entry');
  return {
    ...{ as_of: list.as_of, source: list.source },
    of: result => withEfilingFlags([result], list).results[0]!.efiling,
  };
}

/**
 * Reads a JSON file with the HTS codes that CPSC flags for eFiling.
 *
 * @throws CliError if the file can't be read or isn't valid
 */
export async function readFlagList(file: string): Promise<FlagList> {
  // Import the certificate code only here, because lookups without flags don't need it and it's slow to load.
  const { parseFlagList } = await import('@compliance/core/entry');
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw fileError(`Can't read ${file} as JSON`, error);
  }
  try {
    return parseFlagList(value);
  } catch (error) {
    throw new CliError(`${file} isn't a valid list of flagged codes. ${(error as RangeError).message}`, 2);
  }
}
