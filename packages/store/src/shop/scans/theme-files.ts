import { chunks } from '../../database/chunks.ts';
import type { ShopDatabase } from '../schema.ts';
import type { ShopScope } from '../scope.ts';

/** Theme file. Shopify computes the checksum; the store only compares checksums. */
export interface ThemeFile {
  /** Path of the file within the theme, such as `layout/theme.liquid`. */
  readonly name: string;
  readonly checksum: string;
}

/** Names of added, changed, and removed files, sorted. */
export interface ThemeFileChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** The files in a shop's most recently scanned theme. Shopify assigns the theme IDs. */
export interface ShopThemeFiles {
  /** Lists the stored files of a theme, sorted by name. Returns an empty list if the theme isn't stored. */
  list(themeId: string): Promise<readonly ThemeFile[]>;
  /**
   * Compares the given files with the stored files, without storing anything. If the theme isn't stored, every file is
   * reported as added.
   */
  compare(themeId: string, files: readonly ThemeFile[]): Promise<ThemeFileChanges>;
  /**
   * Replaces all of the shop's stored files, regardless of theme, with the given files. Call this function after
   * scanning the given files. Returns the differences from the previously stored files.
   *
   * @throws StoreError with `lease_lost` if called through a job whose lease was lost
   */
  replace(themeId: string, files: readonly ThemeFile[]): Promise<ThemeFileChanges>;
}

export function createShopThemeFiles({ durable, shop, write }: ShopScope): ShopThemeFiles {
  const list = (db: ShopDatabase, themeId: string) =>
    db
      .selectFrom('shop_theme_files')
      .select(['name', 'checksum'])
      .where('shop', '=', shop)
      .where('theme_id', '=', themeId)
      .orderBy('name')
      .execute();

  return {
    list: themeId => list(durable, themeId),

    compare: async (themeId, files) => changesBetween(await list(durable, themeId), files),

    replace: (themeId, files) =>
      write(async trx => {
        const changes = changesBetween(await list(trx, themeId), files);
        await trx.deleteFrom('shop_theme_files').where('shop', '=', shop).execute();
        const checksums = new Map(files.map(({ name, checksum }) => [name, checksum]));
        const rows = [...checksums].map(([name, checksum]) => ({ shop, theme_id: themeId, name, checksum }));
        for (const part of chunks(rows)) await trx.insertInto('shop_theme_files').values(part).execute();
        return changes;
      }),
  };
}

function changesBetween(before: readonly ThemeFile[], after: readonly ThemeFile[]): ThemeFileChanges {
  const old = new Map(before.map(({ name, checksum }) => [name, checksum]));
  const now = new Map(after.map(({ name, checksum }) => [name, checksum]));
  return {
    added: [...now.keys()].filter(name => !old.has(name)).sort(),
    changed: [...now].flatMap(([name, checksum]) => (old.has(name) && old.get(name) !== checksum ? [name] : [])).sort(),
    removed: [...old.keys()].filter(name => !now.has(name)).sort(),
  };
}
