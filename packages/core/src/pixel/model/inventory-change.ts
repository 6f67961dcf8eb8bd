import type { Inventory, Tag } from './inventory.ts';

/**
 * A tag and its replacement, which have the same vendor, kind, and channel, or one tag before and after a move.
 */
export interface TagChange {
  readonly before: Tag;
  readonly after: Tag;
}

/** Differences between the comparable parts of two inventories of one page. */
export interface InventoryChange {
  readonly before: Inventory;
  readonly after: Inventory;
  readonly removed: readonly Tag[];
  readonly added: readonly Tag[];
  readonly replaced: readonly TagChange[];
  /** Removed and added containers, or `null` if the change doesn't include both. */
  readonly swapped: { readonly removed: readonly string[]; readonly added: readonly string[] } | null;
  readonly moved: readonly TagChange[];
  readonly events: readonly {
    readonly vendor: string;
    readonly lost: readonly string[];
    readonly gained: readonly string[];
  }[];
}
