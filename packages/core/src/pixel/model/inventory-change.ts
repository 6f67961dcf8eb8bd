import type { Inventory, Tag } from './inventory.ts';
import type { Vendor } from './vendor.ts';

/**
 * Two versions of a tag: either a tag and its replacement (with the same vendor, kind, and channel), or one tag before
 * and after a change.
 */
export interface TagChange {
  readonly before: Tag;
  readonly after: Tag;
}

/** Differences between two inventories of the same page, limited to the parts that can be compared. */
export interface InventoryChange {
  readonly before: Inventory;
  readonly after: Inventory;
  readonly removed: readonly Tag[];
  readonly added: readonly Tag[];
  readonly replaced: readonly TagChange[];
  /** Removed and added containers. `null` unless at least one container was removed and at least one was added. */
  readonly swapped: { readonly removed: readonly string[]; readonly added: readonly string[] } | null;
  readonly moved: readonly TagChange[];
  readonly events: readonly {
    readonly vendor: Vendor;
    readonly lost: readonly string[];
    readonly gained: readonly string[];
  }[];
}
