import { hasTable } from './database/has-table.ts';
import { StoreError } from './errors.ts';
import { connect, isNewLocation, openBlobs, type StoreLocation } from './open.ts';

/** State of the most recent certificates' PDFs. */
export interface PdfFacts {
  /** Number of certificates in the store. */
  readonly certificates: number;
  /** Number of certificates whose PDF was checked. */
  readonly checked: number;
  /** IDs of certificates whose PDF isn't in the folder or bucket. */
  readonly missing: readonly string[];
  /** IDs of certificates whose PDF doesn't match its SHA-256 hash. */
  readonly damaged: readonly string[];
}

/**
 * Reads the PDFs of the most recent certificates and verifies their SHA-256 hashes. Doesn't write anything.
 *
 * @throws StoreError with `blobs_unavailable`
 * @example
 * const { missing, damaged } = await inspectPdfs({ dataDir: './data' }, { limit: 1000 });
 */
export async function inspectPdfs(location: StoreLocation, { limit }: { readonly limit: number }): Promise<PdfFacts> {
  if (isNewLocation(location)) return { certificates: 0, checked: 0, missing: [], damaged: [] };
  const { durable, bestEffort } = connect(location);
  try {
    if (!(await hasTable(durable, 'certificates'))) {
      return { certificates: 0, checked: 0, missing: [], damaged: [] };
    }
    const { total } = await durable
      .selectFrom('certificates')
      .select(eb => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await durable
      .selectFrom('certificates')
      .select(['id', 'sha256'])
      .orderBy('created_at', 'desc')
      .limit(limit)
      .execute();
    const blobs = openBlobs(location);
    const [missing, damaged]: [string[], string[]] = [[], []];
    for (const { id, sha256 } of rows) {
      const isThere = await blobs.has(sha256).catch(error => {
        if (!(error instanceof StoreError) || error.code !== 'blob_damaged') throw error;
        damaged.push(id);
        return true;
      });
      if (!isThere) missing.push(id);
    }
    return { certificates: Number(total), checked: rows.length, missing, damaged };
  } finally {
    await Promise.all([durable.destroy(), bestEffort.destroy()]);
  }
}
