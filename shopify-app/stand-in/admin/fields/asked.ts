import type { StandInShop } from '../../shop/shop.ts';
import type { Faults } from '../fault.ts';

/** What the fields of one query are answered from. */
export interface Asked {
  readonly shop: StandInShop;
  /** The operation's name. */
  readonly operation: string;
  readonly faults: Faults;
  readonly clock: () => number;
  /** What a bulk operation's query gives. @throws GraphQLError[] when Shopify would not take it */
  readonly runBulk: (query: string) => { lines: string[]; roots: number };
}

export interface UserError {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code?: string;
  readonly elementIndex?: number;
}

/** The user errors that were planned for a mutation. */
export function plannedErrors({ faults, operation, shop }: Asked): UserError[] {
  const fault = faults.take(operation, ['userErrors'], shop.domain);
  return fault ? [{ field: fault.field ?? null, message: fault.message, code: fault.code ?? 'INVALID' }] : [];
}

/** A time as Shopify writes it. */
export const isoOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** When what has no date of its own came to be. */
export const LONG_AGO = '2026-03-02T09:00:00Z';
