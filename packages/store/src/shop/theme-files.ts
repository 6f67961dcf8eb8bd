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
