import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { OfficialDocument } from '@compliance/core/tariff';
import { CliError, fileError } from '../../cli-error.ts';
import { readFederalRegister } from './federal-register.ts';
import { MAX_FILE } from './limits.ts';
import { XmlError } from './paragraphs.ts';
import { readPlainText } from './plain-text.ts';
import { readWord } from './word.ts';

/**
 * Reads an official document: either a CSMS message (Word or plain text) or a Federal Register document (XML).
 *
 * @throws CliError if the file can't be read
 */
export async function readOfficialDocument(kind: OfficialDocument['kind'], file: string): Promise<OfficialDocument> {
  const bytes = await readBounded(file);
  const isZip = bytes.subarray(0, 2).toString('latin1') === 'PK';
  try {
    const text = () => bytes.toString('utf8').replace(/^\uFEFF/, '');
    const read =
      kind === 'federal_register' ? readFederalRegister(text()) : isZip ? await readWord(bytes) : readPlainText(text());
    return { kind, name: basename(file), ...read };
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new CliError(`Can't read ${file}: ${error.message}.`);
  }
}

async function readBounded(file: string): Promise<Buffer> {
  try {
    const stats = await stat(file);
    if (!stats.isFile()) throw new CliError(`Can't read ${file}: it isn't a file.`);
    if (stats.size > MAX_FILE) throw new CliError(`Can't read ${file}: it's larger than ${MAX_FILE / 1024 / 1024} MB.`);
    return await readFile(file);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw fileError(`Can't read ${file}`, error);
  }
}
