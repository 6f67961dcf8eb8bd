import type { NewId } from './database/ids.ts';
import type { Database } from './database/schema.ts';

/** An official HTS export as it was imported. `importedAt` is ms since epoch. */
export interface Nomenclature {
  /** The publisher's name of it, such as `2026HTSRev10`. */
  readonly edition: string;
  /** SHA-256 in hex, as computed by the importer. */
  readonly sha256: string;
  /** The export's text. */
  readonly body: string;
  readonly importedAt: number;
}

/** Imported HTS exports. History is kept; the latest import wins, whatever its edition. */
export interface Nomenclatures {
  /**
   * Stores an export. Does nothing when it equals the latest one (same edition and SHA-256).
   *
   * @example
   * await store.nomenclatures.put({ edition: '2026HTSRev10', sha256, body });
   */
  put(nomenclature: Omit<Nomenclature, 'importedAt'>): Promise<void>;
  /** The export imported last, or null before the first import. */
  latest(): Promise<Nomenclature | null>;
}

export function createNomenclatures(ledger: Database, clock: () => number, newId: NewId): Nomenclatures {
  return {
    async put({ edition, sha256, body }) {
      await ledger.transaction().execute(async trx => {
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
      const row = await ledger
        .selectFrom('nomenclatures')
        .select(['edition', 'sha256', 'body', 'imported_at as importedAt'])
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row ?? null;
    },
  };
}
