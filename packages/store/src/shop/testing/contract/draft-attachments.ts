import { describe, expect, it } from 'vitest';
import type { StoreHarness } from '../../../testing/contract/harness.ts';
import type { DraftAttachment, Shop, ShopStore } from '../../index.ts';
import { installed, newDraftAttachment, TWO } from '../fixtures.ts';

export function registerDraftAttachments(harness: StoreHarness<ShopStore>): void {
  describe('draft attachments', () => {
    const add = (
      shop: Shop,
      draftId: string,
      text: string,
      check: (others: readonly DraftAttachment[]) => void = () => {},
    ) => shop.draftAttachments.add(newDraftAttachment(draftId, text), check);
    const contentOf = async (shop: Shop, file: DraftAttachment) => {
      const bytes = await shop.draftAttachments.bytes(file);
      return bytes && Buffer.from(bytes).toString();
    };

    it('lists a draft’s files in order, and deletes one or all of them', async () => {
      const shop = await installed(harness);
      const [first, second] = [await add(shop, 'a', 'one'), await add(shop, 'a', 'two')];
      const other = await add(shop, 'b', 'three');
      expect(await shop.draftAttachments.list('a')).toEqual([first, second]);
      expect(first).toMatchObject({ productId: 'p', filename: 'report.pdf', mediaType: 'application/pdf', size: 3 });
      expect(await contentOf(shop, second)).toBe('two');

      await shop.draftAttachments.remove('a', first.id);
      await shop.draftAttachments.remove('a', other.id);
      expect(await shop.draftAttachments.list('a')).toEqual([second]);
      expect(await contentOf(shop, first)).toBeNull();
      await shop.draftAttachments.removeAll('a');
      expect(await contentOf(shop, second)).toBeNull();
      expect(await shop.draftAttachments.drafts()).toEqual([{ draftId: 'b', productId: 'p' }]);
      expect(await contentOf(shop, other)).toBe('three');
    });

    it('checks concurrently added files one after another, so that they can’t exceed a limit together', async () => {
      const shop = await installed(harness);
      const atMostTwo = (others: readonly DraftAttachment[]) => {
        if (others.length >= 2) throw new RangeError('too many files');
      };
      const added = await Promise.allSettled(['a', 'b', 'c', 'd'].map(text => add(shop, 'd', text, atMostTwo)));
      expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      expect(await shop.draftAttachments.list('d')).toHaveLength(2);
    });

    it('returns null for the content of a file that was lost or replaced in blob storage', async () => {
      const shop = await installed(harness);
      const file = await add(shop, 'd', 'content');
      const name = `drafts/${shop.domain}/d/${file.id}`;
      await harness.store.blobs.files.write(name, new Uint8Array(Buffer.from('other')));
      expect(await contentOf(shop, file)).toBeNull();
      await harness.store.blobs.files.remove(name);
      expect(await contentOf(shop, file)).toBeNull();
      expect(await shop.draftAttachments.list('d')).toEqual([file]);
    });

    it('deletes only the erased shop’s files, and exports file content', async () => {
      const [one, two] = [await installed(harness), await installed(harness, TWO)];
      const [mine, others] = [await add(one, 'd', 'mine'), await add(two, 'd', 'theirs')];
      const exported: { table: string; row: { content?: string } }[] = [];
      for await (const line of one.export()) exported.push(JSON.parse(line));
      expect(exported.find(({ table }) => table === 'shop_draft_attachments')?.row).toMatchObject({
        ...{ filename: 'report.pdf', content: Buffer.from('mine').toString('base64') },
      });
      await one.erase();
      expect(await harness.store.blobs.files.read(`drafts/${one.domain}/d/${mine.id}`)).toBeNull();
      expect(await contentOf(two, others)).toBe('theirs');
    });

    it('rejects unknown shops and draft IDs that can’t be part of a filename', async () => {
      const shop = await installed(harness);
      await expect(add(shop, '../x', 'content')).rejects.toThrow(RangeError);
      const unknown = harness.store.shop(TWO);
      await expect(add(unknown, 'd', 'content')).rejects.toMatchObject({ code: 'shop_unknown' });
      expect(await unknown.draftAttachments.list('d')).toEqual([]);
    });
  });
}
