import { afterEach, beforeEach } from 'vitest';
import type { IssuedKey, LimitQuotas, Store } from '../../index.ts';

export const START = Date.UTC(2026, 10, 21, 12);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/**
 * Store under test, and a function that runs SQL directly on the store's database, as a user with the database password
 * could.
 */
export type TestedStore<S extends Store = Store> = S & {
  sql(statement: string): Promise<Record<string, unknown>[]>;
};

/** Opens a store on a fresh, empty database. */
export type OpenFresh<S extends Store = Store> = (options: {
  clock: () => number;
  limits?: Partial<LimitQuotas>;
}) => Promise<TestedStore<S>>;

/**
 * Environment for each test: a fresh store with quotas of 5 requests a minute and 12 a day, and a clock that only the
 * test advances.
 */
export interface StoreHarness<S extends Store = Store> {
  store: TestedStore<S>;
  now: number;
  readonly openFresh: OpenFresh<S>;
  /** Issues a key with the `tariff` scope. */
  issue(note?: string): Promise<IssuedKey>;
}

/** Creates a harness that is reset before each test in the current suite. */
export function createHarness<S extends Store>(openFresh: OpenFresh<S>): StoreHarness<S> {
  const harness = {
    now: START,
    openFresh,
    issue: note => harness.store.keys.issue({ scope: 'tariff', note, actor: 'operator' }),
  } as StoreHarness<S>;

  beforeEach(async () => {
    harness.now = START;
    harness.store = await openFresh({ clock: () => harness.now, limits: { minute: 5, day: 12 } });
  });
  afterEach(() => harness.store.close());
  return harness;
}
