import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { hasDelegateAccess, type KeyRecord } from '@compliance/store';
import { fileError } from '../cli-error.ts';
import { notify } from './notice.ts';
import { quoteForShell } from './shell-quote.ts';

/** Output options for a newly issued key. By default, the key is printed as text. */
export interface KeyOutput {
  json?: boolean;
  outputFile?: string;
}

/**
 * Issues a key and returns the text to print. No other output shows the full key. With `outputFile`, the key is written
 * only to that file, and the text states the filename. The file is created before the key is issued so that the key
 * can't be lost.
 *
 * @throws `CliError` if the file already exists or can't be created
 */
export async function issuedKeyText(
  { json, outputFile }: KeyOutput,
  issue: () => Promise<{ key: string; record: KeyRecord }>,
): Promise<{ text: string; record: KeyRecord }> {
  const descriptor = outputFile === undefined ? null : createKeyFile(outputFile);
  try {
    const { key, record } = await issue();
    const about = `ID ${record.id}, ${scopeAndNote(record)}.`;
    if (descriptor === null) {
      const shown = `${key}\n\nThis key is shown only once. Store it safely. ${about}`;
      return { text: json ? JSON.stringify({ key, ...record }) : shown, record };
    }
    writeSync(descriptor, `${key}\n`);
    return { text: `The key is in ${outputFile}, which only you can read. ${about}`, record };
  } catch (error) {
    if (outputFile !== undefined) rmSync(outputFile);
    throw error;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** Creates an empty file that only its owner can read, and returns its file descriptor. */
function createKeyFile(file: string): number {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (error) {
    throw fileError(`Can't write the key to ${file}`, error);
  }
}

/** Formats the scope and note of a key: `scope tariff, note "Acme"` */
export function scopeAndNote({ scope, note }: KeyRecord): string {
  return `scope ${scope}, ${note === '' ? 'no note' : `note ${JSON.stringify(note)}`}`;
}

/**
 * Writes a warning to standard error if the key has no delegate access, because the API rejects such a key with 403.
 * The warning includes the command that grants delegate access.
 */
export function warnWithoutBetaAccess({ id, note }: KeyRecord): void {
  if (hasDelegateAccess(note)) return;
  const granted = note === '' ? 'delegate:on' : `${note}; delegate:on`;
  notify(
    `\nWarning: This key doesn't have delegate access, so API requests fail with 403 \`beta\`. To grant access, run:\n  compliance keys update ${id} --note ${quoteForShell(granted)}`,
  );
}
