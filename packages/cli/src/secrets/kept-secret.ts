import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.ts';

/**
 * A secret of the data folder, readable by its owner alone: read, or made on the first start. Of several processes that make
 * it at once, all get the same.
 *
 * @throws Failure when the file is empty
 * @example keptSecret('./data', 'operator-secret', () => randomBytes(32).toString('base64url'))
 */
export function keptSecret(dataDir: string, name: string, make: () => string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, name);
  const made = `${file}.${process.pid}`;
  writeFileSync(made, `${make()}\n`, { mode: 0o600 });
  try {
    linkSync(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(made);
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret === '') throw new Failure(`${file} is empty. Remove it, and the next start makes a new secret.`);
  return secret;
}
