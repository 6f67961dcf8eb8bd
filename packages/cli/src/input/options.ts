import { LookupOptionError, type Program } from '@compliance/core/tariff';
import { Failure } from '../failure.ts';

/** Reads `steel,aluminum` or `all`; the library says which names it knows. */
export function parsePrograms(text: string): 'all' | Program[] {
  return text === 'all' ? 'all' : (text.split(',').map(name => name.trim()) as Program[]);
}

/** Runs a call of the library and turns a refused option into a message in the words of the command line. */
export async function asOptionFailure<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof LookupOptionError)) throw error;
    throw new Failure(error.message.replace(/^asOf\b/, '--as-of').replace(/^(programs|origin)\b/, '--$1'), 2);
  }
}
