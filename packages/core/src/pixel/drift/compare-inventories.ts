import type { Inventory, Tag } from '../model/inventory.ts';
import type { InventoryChange, TagChange } from '../model/inventory-change.ts';
import type { Vendor } from '../model/vendor.ts';

const identity = (tag: Tag): string => `${tag.vendor}|${tag.id}`;
const slot = (tag: Tag): string => `${tag.vendor}|${tag.kind}|${tag.channel}`;

/** Compares two inventories. Returns `null` if either page is a password page or if the page types differ. */
export function compareInventories(before: Inventory, after: Inventory): InventoryChange | null {
  if (before.password || after.password || before.page_type !== after.page_type) return null;
  const oldIds = new Set(before.tags.map(identity));
  const newIds = new Set(after.tags.map(identity));
  // Compare container tags only if both scans read the same containers. Otherwise, unchanged tags would appear to be
  // new or missing.
  const withContents = readTheSame(before, after);
  const oldTags = comparable(before).filter(t => withContents || t.channel !== 'gtm');
  const newTags = comparable(after).filter(t => withContents || t.channel !== 'gtm');
  // If a scan couldn't read the whole page, a missing tag might still be on the page.
  const removed = after.complete ? oldTags.filter(t => !newIds.has(identity(t))) : [];
  const added = before.complete ? newTags.filter(t => !oldIds.has(identity(t))) : [];
  const removedContainers = removed.filter(t => t.kind === 'gtm_container').map(t => t.id!);
  const addedContainers = added.filter(t => t.kind === 'gtm_container').map(t => t.id!);
  const swapped =
    removedContainers.length > 0 && addedContainers.length > 0
      ? { removed: unique(removedContainers), added: unique(addedContainers) }
      : null;
  const replaced: TagChange[] = [];
  for (const tag of removed) {
    if (tag.kind === 'gtm_container') continue;
    const sameSlotRemoved = removed.filter(t => slot(t) === slot(tag));
    const sameSlotAdded = added.filter(t => slot(t) === slot(tag));
    if (sameSlotRemoved.length === 1 && sameSlotAdded.length === 1)
      replaced.push({ before: tag, after: sameSlotAdded[0]! });
  }
  const inReplacement = new Set<Tag>(replaced.flatMap(r => [r.before, r.after]));
  const unmatched = (t: Tag): boolean => !inReplacement.has(t) && !(swapped && t.kind === 'gtm_container');
  return {
    before,
    after,
    removed: firstOfEachId(removed.filter(unmatched)),
    added: firstOfEachId(added.filter(unmatched)),
    replaced,
    swapped,
    moved: movedTags(oldTags, newTags),
    events: changedEvents(oldTags, newTags),
  };
}

const readTheSame = (before: Inventory, after: Inventory): boolean =>
  unique(before.containers_read ?? []).join() === unique(after.containers_read ?? []).join();

/**
 * Returns the tags with known IDs. Omits a `<noscript>` fallback if the page also has a tag with the same ID outside
 * `<noscript>`.
 */
function comparable(inventory: Inventory): Tag[] {
  const withId = inventory.tags.filter(t => t.id !== null);
  return withId.filter(
    t => t.channel !== 'noscript' || !withId.some(o => o.channel !== 'noscript' && identity(o) === identity(t)),
  );
}

const unique = <Text extends string>(texts: readonly Text[]): Text[] => [...new Set(texts)].sort();

function firstOfEachId(tags: readonly Tag[]): Tag[] {
  const seen = new Set<string>();
  return tags.filter(t => !seen.has(identity(t)) && seen.add(identity(t)));
}

function movedTags(oldTags: readonly Tag[], newTags: readonly Tag[]): TagChange[] {
  const moved: TagChange[] = [];
  const done = new Set<string>();
  for (const before of oldTags) {
    const key = identity(before);
    if (done.has(key)) continue;
    done.add(key);
    const old = oldTags.filter(t => identity(t) === key);
    const current = newTags.filter(t => identity(t) === key);
    // Skip a tag that was added through a second channel, because the page rules report it as a duplicate.
    if (current.length === 0 || old.length !== current.length) continue;
    const after = current.find(t => t.channel === before.channel) ?? current[0]!;
    const differs =
      after.channel !== before.channel ||
      after.state !== before.state ||
      after.position !== before.position ||
      (before.channel === 'theme' &&
        after.loader_host !== before.loader_host &&
        before.loader_host !== null &&
        after.loader_host !== null);
    if (differs) moved.push({ before, after });
  }
  return moved;
}

function changedEvents(oldTags: readonly Tag[], newTags: readonly Tag[]): InventoryChange['events'] {
  const changes: { vendor: Vendor; lost: string[]; gained: string[] }[] = [];
  for (const vendor of unique(oldTags.map(t => t.vendor))) {
    const old = oldTags.filter(t => t.vendor === vendor);
    const current = newTags.filter(t => t.vendor === vendor);
    if (current.length === 0 || [...old, ...current].some(t => t.events_unresolved)) continue;
    const oldEvents = new Set(old.flatMap(t => t.events));
    const newEvents = new Set(current.flatMap(t => t.events));
    const lost = [...oldEvents].filter(e => !newEvents.has(e)).sort();
    const gained = [...newEvents].filter(e => !oldEvents.has(e)).sort();
    if (lost.length + gained.length > 0) changes.push({ vendor, lost, gained });
  }
  return changes;
}
