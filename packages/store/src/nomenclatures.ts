import type { NewId } from './database/ids.ts';
import type { Database } from './database/schema.ts';

/** An imported official HTS export. `importedAt` is in milliseconds since the Unix epoch. */
export interface StoredNomenclature {
  /** Publisher's name for the edition, such as `2026HTSRev10`. */
  readonly edition: string;
  /** SHA-256 hash of the export in hex, computed during import. */
  readonly sha256: string;
  /** Full text of the export. */
  readonly body: string;
  readonly importedAt: number;
}

/** Imported HTS exports. The store keeps all imported exports and uses the latest import, regardless of its edition. */
export interface Nomenclatures {
  /**
   * Stores an export. Has no effect if the latest import has the same edition and SHA-256 hash.
   *
   * @example
   * await store.nomenclatures.put({ edition: '2026HTSRev10', sha256, body });
   */
  put(nomenclature: Omit<StoredNomenclature, 'importedAt'>): Promise<void>;
  /** Returns the latest import, or null before the first import. */
  latest(): Promise<StoredNomenclature | null>;
}

export function createNomenclatures(durable: Database, clock: () => number, newId: NewId): Nomenclatures {
  return {
    async put({ edition, sha256, body }) {
      await durable.transaction().execute(async trx => {
        const latest = await trx
          .selectFrom('nomenclatures')
          .select(['edition', 'sha256'])
          .orderBy('id', 'desc')
          .limit(1)
          .executeTakeFirst();
        if (latest?.edition === edition && latest.sha256 === sha256) return;
        await trx
          .insertInto('nomenclatures')
          .values({ id: newId('nom'), edition, sha256, body, imported_at: clock() })
          .execute();
      });
    },

    async latest() {
      const row = await durable
        .selectFrom('nomenclatures')
        .select(['edition', 'sha256', 'body', 'imported_at as importedAt'])
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row ?? null;
    },
  };
}
