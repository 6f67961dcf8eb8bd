import { certificateFilename } from '@compliance/core/entry';
import type { BulkJob, Store } from '@compliance/store';
import { makeZip } from 'client-zip';
import type { DeliverPdf } from '../certificates/marked-pdf.ts';
import { csvLine } from './rows.ts';

/** A certificate in a job's result. */
interface IssuedRow {
  readonly row: number;
  readonly line?: number;
  readonly key?: string;
  readonly gcc_id: string;
  readonly sha256: string;
  readonly status: string;
  readonly verification_url: string;
}

/** Columns of the index. */
const INDEX = ['file', 'row', 'line', 'key', 'gcc_id', 'status', 'sha256', 'verification_url'] as const;

/** Filename of the index. The name can't conflict with certificate filenames, which end in `.pdf`. */
const INDEX_NAME = 'index.csv';

/**
 * Creates a ZIP file that contains an index and the PDFs of a job's certificates. The PDFs are the same files that the
 * certificates' own links return. The PDFs aren't compressed again. Only one part's PDFs are in memory at a time.
 *
 * @param parts returns a new iterator over the finished parts' results on each call
 * @example certificatesZip(job, () => partsOf(store, job.id, parts), { store, deliver });
 */
export function certificatesZip(
  job: BulkJob,
  parts: () => AsyncIterable<Uint8Array>,
  { store, deliver }: { readonly store: Pick<Store, 'certificates'>; readonly deliver: DeliverPdf },
): ReadableStream<Uint8Array> {
  async function* index() {
    yield new TextEncoder().encode(csvLine(INDEX));
    for await (const part of parts()) {
      const lines = issuedRows(part).map(row => {
        const cells = { ...row, file: filename(row) };
        return csvLine(INDEX.map(column => cells[column]));
      });
      // client-zip stops reading at an empty chunk.
      if (lines.length > 0) yield new TextEncoder().encode(lines.join(''));
    }
  }
  async function pdf(row: IssuedRow) {
    const certificate = await store.certificates.get(row.gcc_id);
    if (!certificate) throw new Error(`Certificate ${row.gcc_id} of job ${job.id} is missing.`);
    const input = await deliver(certificate, () => ({ lane: 'keyed', tenant: job.family }));
    return { name: filename(row), lastModified: new Date(certificate.createdAt), input };
  }
  async function* files() {
    yield { name: INDEX_NAME, lastModified: new Date(job.createdAt), input: index() };
    for await (const part of parts()) yield* await Promise.all(issuedRows(part).map(pdf));
  }
  const entries = files();
  // Hide the generator's `throw` method so that client-zip doesn't fail when the caller cancels the download.
  return makeZip({ [Symbol.asyncIterator]: () => ({ next: () => entries.next() }) });
}

function issuedRows(part: Uint8Array): IssuedRow[] {
  const rows = new TextDecoder().decode(part).split('\n').filter(Boolean);
  return rows.map(row => JSON.parse(row)).filter(({ gcc_id }) => gcc_id !== undefined);
}

/**
 * Returns a filename that's unique within the job: the key for a row of a CSV file, or the certificate ID for other
 * rows.
 */
const filename = ({ key, gcc_id }: IssuedRow) => (key === undefined ? `${gcc_id}.pdf` : certificateFilename(key));
