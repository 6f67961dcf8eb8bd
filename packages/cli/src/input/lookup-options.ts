import { LookupOptionError, type Program, type ProgramSelection } from '@compliance/core/tariff';
import { CliError } from '../cli-error.ts';

/** Parses program names such as `steel,aluminum`, or `all` or `metals`. The library checks that they exist. */
export function parsePrograms(text: string): ProgramSelection {
  return text === 'all' || text === 'metals' ? text : text.split(',').map(name => name.trim() as Program);
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
