import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileFailure } from '@compliance/store';
import { CliError } from '../cli-error.ts';

/**
 * Reads a secret from a file in the data folder, or creates the file on first start. Only the owner can read the file.
 * If several processes try to create the file at the same time, they all use the same secret.
 *
 * @throws `CliError` if the file is empty, or if the data folder is read-only or full
 * @example readOrCreateSecret('./data', 'operator-secret', () => randomBytes(32).toString('base64url'))
 */
export function readOrCreateSecret(dataDir: string, name: string, generate: () => string): string {
  const file = join(dataDir, name);
  try {
    if (!existsSync(file)) createSecret(dataDir, file, generate);
  } catch (error) {
    const failure = fileFailure(error, `the data folder ${dataDir}`);
    throw failure ? new CliError(failure.message) : error;
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret === '') throw new CliError(`${file} is empty. Delete the file to create a new secret on the next start.`);
  return secret;
}

function createSecret(dataDir: string, file: string, generate: () => string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${generate()}\n`, { mode: 0o600 });
  try {
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary);
  }
}
