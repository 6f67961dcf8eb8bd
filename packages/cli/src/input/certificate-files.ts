import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import {
  type CodeList,
  type Disclaim,
  DisclaimSchema,
  type LabList,
  parseCodeList,
  parseLabList,
} from '@compliance/core/entry';
import { CliError, fileError } from '../cli-error.ts';

/**
 * Reads a JSON file, or standard input if the filename is `-`. Ignores lines that start with `//`, such as the comments
 * in the templates.
 *
 * @throws CliError if the file can't be read or isn't JSON
 */
export async function readJson(file: string): Promise<unknown> {
  try {
    const content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
    return JSON.parse(content.replace(/^[ \t]*\/\/.*$/gm, ''));
  } catch (error) {
    throw fileError(`Can't read ${file} as JSON`, error);
  }
}

/** Reads a list of eFiling citation codes. @throws CliError if the file can't be read or isn't valid */
export async function readCodeList(file: string): Promise<CodeList> {
  return await readList(file, 'list of codes', parseCodeList);
}

/**
 * Reads a list of CPSC-accepted laboratories, as described for `parseLabList`.
 *
 * @throws CliError if the file can't be read or isn't valid
 */
export async function readLabList(file: string): Promise<LabList> {
  return await readList(file, 'list of laboratories', parseLabList);
}

async function readList<List>(file: string, kind: string, parse: (value: unknown) => List): Promise<List> {
  const value = await readJson(file);
  try {
    return parse(value);
  } catch (error) {
    throw new CliError(`${file} isn't a valid ${kind}. ${(error as RangeError).message}`, 2);
  }
}

/** Reads the facts in a disclaim message. @throws CliError if the file can't be read or isn't valid */
export async function readDisclaim(file: string): Promise<Disclaim> {
  const { data, error } = DisclaimSchema.safeParse(await readJson(file));
  if (data) return data;
  const issues = error.issues.map(({ path, message }) => `  ${path.join('.') || '(file)'}: ${message}`);
  throw new CliError(`${file} doesn't contain valid facts for a disclaim message:\n${issues.join('\n')}`, 2);
}
