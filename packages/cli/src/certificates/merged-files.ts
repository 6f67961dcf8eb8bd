import { rename, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { type CertificateRecord, type Fonts, MAX_MERGED, renderMerged } from '@compliance/core/entry';
import { fileError } from '../cli-error.ts';

/** Writes copies of certificates to merged PDF files. */
export interface MergedFiles {
  add(record: CertificateRecord): Promise<void>;
  /** Writes the remaining certificates and returns the files' paths. */
  close(): Promise<readonly string[]>;
}

/**
 * Returns a writer for merged, printable PDF files. If there are more certificates than fit in one file, the filenames
 * are numbered, such as `all-1.pdf` and `all-2.pdf`. The methods throw CliError if a file can't be written.
 *
 * @param most maximum number of certificates in a file
 */
export function mergedFiles(path: string, fonts: Fonts, most = MAX_MERGED): MergedFiles {
  const files: string[] = [];
  let records: CertificateRecord[] = [];
  const numbered = (at: number) => `${path.slice(0, path.length - extname(path).length)}-${at}${extname(path)}`;
  const flush = async () => {
    if (files.length === 1) {
      await rename(path, numbered(1));
      files[0] = numbered(1);
    }
    const file = files.length === 0 ? path : numbered(files.length + 1);
    await writeFile(file, await renderMerged(records, fonts)).catch(error => {
      throw fileError(`Can't write ${file}`, error);
    });
    files.push(file);
    records = [];
  };
  return {
    async add(record) {
      if (records.length === most) await flush();
      records.push(record);
    },
    async close() {
      if (records.length > 0) await flush();
      return files;
    },
  };
}
