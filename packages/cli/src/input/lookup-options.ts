import { ALL_PROGRAMS, LookupOptionError, METALS, type Program } from '@compliance/core/tariff';
import { CliError } from '../cli-error.ts';

/**
 * Parses program names such as `steel,aluminum`, or `all` or `metals`.
 *
 * @throws `CliError` if a name isn't a program
 */
export function parsePrograms(text: string): readonly Program[] {
  if (text === 'all') return ALL_PROGRAMS;
  if (text === 'metals') return METALS;
  const names = text.split(',').map(name => name.trim()) as Program[];
  if (names.every(name => ALL_PROGRAMS.includes(name))) return names;
  throw new CliError(`--programs must be "all", "metals", or one or more of: ${ALL_PROGRAMS.join(', ')}.`, 2);
}

/** Runs a library call and reports an invalid option by its command-line name. */
export async function reportOptionErrors<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof LookupOptionError)) throw error;
    throw new CliError(error.message.replace(/^asOf\b/, '--as-of').replace(/^(programs|origin)\b/, '--$1'), 2);
  }
}
