import { createHash } from 'node:crypto';
import type { DraftAttachmentRow, ShopDatabase } from '../schema.ts';
import type { ShopScope } from '../scope.ts';

/** A file attached to a certificate draft, without its content. Times are in milliseconds since the Unix epoch. */
export interface DraftAttachment {
  readonly id: string;
  readonly draftId: string;
  readonly productId: string;
  readonly filename: string;
  readonly mediaType: DraftAttachmentRow['media_type'];
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256 hash of the file, 64 lowercase hex digits. */
  readonly sha256: string;
  readonly createdAt: number;
}

/** A file to attach to a draft. */
export interface NewDraftAttachment extends Omit<DraftAttachment, 'id' | 'createdAt'> {
  readonly bytes: Uint8Array;
}

/**
 * Files attached to a shop's certificate drafts. Unlike the PDFs of issued certificates, these files can be deleted.
 * Each draft ID must consist of 1 to 64 letters, digits, hyphens, or underscores.
 */
export interface ShopDraftAttachments {
  /** Returns a draft's files, in the order in which they were added. */
  list(draftId: string): Promise<readonly DraftAttachment[]>;
  /**
   * Adds a file to a draft. Calls `check` with the draft's other files, in the transaction that records the file, so
   * that concurrent calls can't jointly exceed a limit. If `check` throws an error, the file isn't added.
   *
   * @throws StoreError with `shop_unknown`, or with a code that `Blobs.put` can throw
   * @example
   * await shop.draftAttachments.add(file, others => checkAttachments([...others, file]));
   */
  add(file: NewDraftAttachment, check: (others: readonly DraftAttachment[]) => void): Promise<DraftAttachment>;
  /**
   * Returns a file's content, or null if the file is missing or doesn't match its SHA-256 hash. Files are missing after
   * a backup is restored, because backups don't contain them.
   *
   * @throws StoreError with `blobs_unavailable` or `config_invalid`
   */
  bytes(file: Pick<DraftAttachment, 'draftId' | 'id' | 'sha256'>): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Deletes a file. Has no effect if the draft doesn't have the file. */
  remove(draftId: string, id: string): Promise<void>;
  /** Deletes all of a draft's files. */
  removeAll(draftId: string): Promise<void>;
  /** Returns all drafts that have stored files, including deleted drafts. */
  drafts(): Promise<readonly Pick<DraftAttachment, 'draftId' | 'productId'>[]>;
}

/** Returns the name of the folder for all of a shop's draft attachments. */
export const draftFolder = (shop: string): string => `drafts/${shop}`;

export function createShopDraftAttachments({
  durable,
  clock,
  newId,
  files,
  shop,
  write,
  writeAnyway,
}: ShopScope): ShopDraftAttachments {
  const folder = draftFolder(shop);
  const nameOf = ({ draftId, id }: Pick<DraftAttachment, 'draftId' | 'id'>) => `${folder}/${checkedId(draftId)}/${id}`;
  const rowsOf = (db: ShopDatabase, draftId: string) =>
    db
      .selectFrom('shop_draft_attachments')
      .selectAll()
      .where('shop', '=', shop)
      .where('draft_id', '=', draftId)
      .orderBy('id')
      .execute();
  const deleteRows = (draftId: string, ids: readonly string[]) =>
    writeAnyway(async trx => {
      for (const id of ids)
        await trx
          .deleteFrom('shop_draft_attachments')
          .where('shop', '=', shop)
          .where('draft_id', '=', draftId)
          .where('id', '=', id)
          .execute();
    });

  return {
    list: async draftId => (await rowsOf(durable, draftId)).map(toAttachment),

    async add({ bytes, draftId, productId, filename, mediaType, size, sha256 }, check) {
      const ids = { draft_id: checkedId(draftId), id: newId('att'), product_id: productId };
      const row = { shop, ...ids, filename, media_type: mediaType, size, sha256, created_at: clock() };
      await write(async trx => {
        check((await rowsOf(trx, draftId)).map(toAttachment));
        await trx.insertInto('shop_draft_attachments').values(row).execute();
      });
      const name = nameOf({ draftId, id: row.id });
      try {
        await files.write(name, new Uint8Array(bytes));
      } catch (error) {
        await deleteRows(draftId, [row.id]);
        throw error;
      }
      // The shop's data might have been erased in the meantime, and nothing else would delete the file.
      if (!(await rowsOf(durable, draftId)).some(({ id }) => id === row.id)) await files.remove(name);
      return toAttachment(row);
    },

    async bytes(file) {
      const bytes = await files.read(nameOf(file));
      return bytes && createHash('sha256').update(bytes).digest('hex') === file.sha256 ? bytes : null;
    },

    // Files are deleted before their rows, which are the only record of the files.
    async remove(draftId, id) {
      if (!(await rowsOf(durable, draftId)).some(row => row.id === id)) return;
      await files.remove(nameOf({ draftId, id }));
      await deleteRows(draftId, [id]);
    },

    async removeAll(draftId) {
      const rows = await rowsOf(durable, draftId);
      if (rows.length === 0) return;
      await files.removeFolder(`${folder}/${checkedId(draftId)}`);
      await deleteRows(
        draftId,
        rows.map(({ id }) => id),
      );
    },

    drafts: () =>
      durable
        .selectFrom('shop_draft_attachments')
        .select(['draft_id as draftId', 'product_id as productId'])
        .distinct()
        .where('shop', '=', shop)
        .execute(),
  };
}

function toAttachment({ shop: _, draft_id, product_id, media_type, created_at, ...row }: DraftAttachmentRow) {
  return { ...row, draftId: draft_id, productId: product_id, mediaType: media_type, createdAt: created_at };
}

/** Returns the draft ID if it's safe to use in a filename. Otherwise, throws a RangeError. */
function checkedId(draftId: string): string {
  if (/^[\w-]{1,64}$/.test(draftId)) return draftId;
  throw new RangeError('a draft ID must consist of 1 to 64 letters, digits, hyphens, or underscores');
}
