import type { Database } from '../../database/schema.ts';
import { slices } from '../batches.ts';
import type { Scope } from '../scope.ts';

/** A file of a theme. The checksum is the one that Shopify gives; the store only compares it. */
export interface ThemeFile {
  /** `layout/theme.liquid` */
  readonly name: string;
  readonly checksum: string;
}

/** Names of files, sorted. */
export interface ThemeFileChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** The files of a shop's themes as they were when last read. A theme id is Shopify's. */
export interface OwnThemeFiles {
  /** The files of one theme, by name; none when it was never read. */
  list(themeId: string): Promise<readonly ThemeFile[]>;
  /** What is different from what is kept; it keeps nothing. For a theme that was never read every file is `added`. */
  compare(themeId: string, files: readonly ThemeFile[]): Promise<ThemeFileChanges>;
  /**
   * Keeps these files in the place of all the shop has, of any theme: call it when they have been scanned. Gives what was
   * different.
   *
   * @throws StoreError `lease_lost` behind a fence
   */
  replace(themeId: string, files: readonly ThemeFile[]): Promise<ThemeFileChanges>;
}

export function createOwnThemeFiles({ ledger, shop, write }: Scope): OwnThemeFiles {
  const list = (db: Database, themeId: string) =>
    db
      .selectFrom('shop_theme_files')
      .select(['name', 'checksum'])
      .where('shop', '=', shop)
      .where('theme_id', '=', themeId)
      .orderBy('name')
      .execute();

  return {
    list: themeId => list(ledger, themeId),

    compare: async (themeId, files) => changesBetween(await list(ledger, themeId), files),

    replace: (themeId, files) =>
      write(async trx => {
        const changes = changesBetween(await list(trx, themeId), files);
        await trx.deleteFrom('shop_theme_files').where('shop', '=', shop).execute();
        const checksums = new Map(files.map(({ name, checksum }) => [name, checksum]));
        const rows = [...checksums].map(([name, checksum]) => ({ shop, theme_id: themeId, name, checksum }));
        for (const part of slices(rows)) await trx.insertInto('shop_theme_files').values(part).execute();
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
