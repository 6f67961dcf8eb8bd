import { afterEach, beforeEach } from 'vitest';
import type { IssuedKey, LimitQuotas, Store } from '../../index.ts';

export const START = Date.UTC(2026, 10, 21, 12);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A store whose database a test can also ask directly, as a hand that knows its password would. */
interface BareStore extends Store {
  sql(statement: string): Promise<Record<string, unknown>[]>;
}

/** Opens a store on a fresh, empty database. */
export type OpenFresh = (options: { clock: () => number; limits?: Partial<LimitQuotas> }) => Promise<BareStore>;

/** What one test lives in: a fresh store with quotas of 5 a minute and 12 a day, and a clock that only the test moves. */
export interface World {
  store: BareStore;
  now: number;
  readonly openFresh: OpenFresh;
  /** A key of scope `tariff`. */
  issue(note?: string): Promise<IssuedKey>;
}

/** A world that is made anew before each test of the current suite. */
export function createWorld(openFresh: OpenFresh): World {
  const world = {
    now: START,
    openFresh,
    issue: note => world.store.keys.issue({ scope: 'tariff', note, actor: 'operator' }),
  } as World;

  beforeEach(async () => {
    world.now = START;
    world.store = await openFresh({ clock: () => world.now, limits: { minute: 5, day: 12 } });
  });
  afterEach(() => world.store.close());
  return world;
}
