import { LookupOptionError, type Program, type ProgramSelection } from '@compliance/core/tariff';
import { CliError } from '../cli-error.ts';

/**
 * Parses `all`, `metals`, or a list of programs such as `steel,aluminum`. The library checks whether the programs
 * exist.
 */
export function parsePrograms(text: string): ProgramSelection {
  return text === 'all' || text === 'metals' ? text : text.split(',').map(name => name.trim() as Program);
}

/**
 * Calls a library function. Converts an error about an option to a `CliError` that uses the option's command-line name.
 */
export async function reportOptionErrors<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof LookupOptionError)) throw error;
    throw new CliError(error.message.replace(/^asOf\b/, '--as-of').replace(/^(programs|origin)\b/, '--$1'), 2);
  }
}
