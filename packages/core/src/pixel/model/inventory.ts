import type { State } from './execution.ts';
import type { Channel, Vendor } from './observation.ts';
import type { Theme } from './page-observations.ts';

/** A tag on a page. `id` is `null` if the ID can't be resolved. `events` lists the event names written in the code. */
export interface Tag {
  readonly vendor: Vendor;
  readonly kind: string;
  readonly id: string | null;
  readonly channel: Channel;
  readonly state: State;
  readonly position: 'head' | 'body';
  readonly events: readonly string[];
  /** Whether the code computes some event names at runtime, in which case `events` is incomplete. */
  readonly events_unresolved: boolean;
  readonly consent: 'none' | 'default_set' | 'gated' | 'platform';
  readonly loader_host: string | null;
}

/**
 * A third-party company whose scripts, frames, or images the page requests. Excludes the vendors of tags on the page.
 */
export interface ThirdParty {
  readonly company: string;
  readonly category: string;
  readonly host: string;
}

/**
 * The tags on a page, excluding data that changes each time the page loads. Save the inventory, and pass it to `drift`
 * later. `complete` is false if the scan couldn't read the whole page or one of the shop's own scripts. In that case, a
 * tag that the inventory omits might still be on the page.
 */
export interface Inventory {
  readonly version: 1;
  readonly as_of: string;
  readonly url: string;
  readonly page_type: string;
  readonly theme: Theme | null;
  readonly password: boolean;
  readonly complete: boolean;
  readonly tags: readonly Tag[];
  readonly containers: readonly string[];
  /** IDs of the containers and Google tags that the scan read. Inventories from earlier versions omit the list. */
  readonly containers_read?: readonly string[];
  readonly third_parties: readonly ThirdParty[];
}
