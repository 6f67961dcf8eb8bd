import type { Inventory, Tag } from '../inventory/inventory.ts';

/** One id of a vendor, kind and channel that another took the place of. */
interface Replacement {
  readonly before: Tag;
  readonly after: Tag;
}

/** What differs between two inventories of one page, as far as they can be compared. */
export interface DriftChange {
  readonly before: Inventory;
  readonly after: Inventory;
  readonly removed: readonly Tag[];
  readonly added: readonly Tag[];
  readonly replaced: readonly Replacement[];
  /** Containers that went, and those that came, when both happened. */
  readonly swapped: { readonly gone: readonly string[]; readonly come: readonly string[] } | null;
  readonly moved: readonly Replacement[];
  readonly events: readonly {
    readonly vendor: string;
    readonly lost: readonly string[];
    readonly gained: readonly string[];
  }[];
}

const identity = (tag: Tag): string => `${tag.vendor}|${tag.id}`;
const place = (tag: Tag): string => `${tag.vendor}|${tag.kind}|${tag.channel}`;

/** Compares two inventories. `null` when they are of different pages: another kind of page, or behind a password. */
export function changeBetween(before: Inventory, after: Inventory): DriftChange | null {
  if (before.password || after.password || before.page_type !== after.page_type) return null;
  const was = comparable(before);
  const is = comparable(after);
  const hadIds = new Set(was.map(identity));
  const hasIds = new Set(is.map(identity));
  // A tag that is missing from a page that was only partly seen may still be there.
  const removed = after.complete ? was.filter(t => !hasIds.has(identity(t))) : [];
  const added = before.complete ? is.filter(t => !hadIds.has(identity(t))) : [];
  const gone = removed.filter(t => t.kind === 'gtm_container').map(t => t.id!);
  const come = added.filter(t => t.kind === 'gtm_container').map(t => t.id!);
  const swapped = gone.length > 0 && come.length > 0 ? { gone: unique(gone), come: unique(come) } : null;
  const replaced: Replacement[] = [];
  for (const tag of removed) {
    if (tag.kind === 'gtm_container') continue;
    const here = removed.filter(t => place(t) === place(tag));
    const there = added.filter(t => place(t) === place(tag));
    if (here.length === 1 && there.length === 1) replaced.push({ before: tag, after: there[0]! });
  }
  const settled = new Set<Tag>(replaced.flatMap(r => [r.before, r.after]));
  const open = (t: Tag): boolean => !settled.has(t) && !(swapped && t.kind === 'gtm_container');
  return {
    before,
    after,
    removed: firstOfEach(removed.filter(open)),
    added: firstOfEach(added.filter(open)),
    replaced,
    swapped,
    moved: movedTags(was, is),
    events: changedEvents(was, is),
  };
}

/** Tags with a known id. The copy for browsers without scripts follows its tag and is not compared by itself. */
function comparable(inventory: Inventory): Tag[] {
  const withId = inventory.tags.filter(t => t.id !== null);
  return withId.filter(
    t => t.channel !== 'noscript' || !withId.some(o => o.channel !== 'noscript' && identity(o) === identity(t)),
  );
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)].sort();

function firstOfEach(tags: readonly Tag[]): Tag[] {
  const seen = new Set<string>();
  return tags.filter(t => !seen.has(identity(t)) && seen.add(identity(t)));
}

function movedTags(was: readonly Tag[], is: readonly Tag[]): Replacement[] {
  const moved: Replacement[] = [];
  const done = new Set<string>();
  for (const before of was) {
    const key = identity(before);
    if (done.has(key)) continue;
    done.add(key);
    const old = was.filter(t => identity(t) === key);
    const now = is.filter(t => identity(t) === key);
    // Seen in a second channel as well: that is a duplicate, which the page's own rules report.
    if (now.length === 0 || old.length !== now.length) continue;
    const after = now.find(t => t.channel === before.channel) ?? now[0]!;
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

function changedEvents(was: readonly Tag[], is: readonly Tag[]): DriftChange['events'] {
  const changes: { vendor: string; lost: string[]; gained: string[] }[] = [];
  for (const vendor of unique(was.map(t => t.vendor))) {
    const old = was.filter(t => t.vendor === vendor);
    const now = is.filter(t => t.vendor === vendor);
    if (now.length === 0 || [...old, ...now].some(t => t.events_unresolved)) continue;
    const had = new Set(old.flatMap(t => t.events));
    const has = new Set(now.flatMap(t => t.events));
    const lost = [...had].filter(e => !has.has(e)).sort();
    const gained = [...has].filter(e => !had.has(e)).sort();
    if (lost.length + gained.length > 0) changes.push({ vendor, lost, gained });
  }
  return changes;
}
