import type { FakeShop } from '../../shop/shop.ts';
import type { Faults } from '../fault.ts';

/** Context for resolving one query's fields. */
export interface ResolverContext {
  readonly shop: FakeShop;
  /** Operation name. */
  readonly operation: string;
  readonly faults: Faults;
  readonly clock: () => number;
  /** Runs a bulk operation's query. @throws Error if Shopify would reject the query */
  readonly runBulk: (query: string) => { lines: string[]; roots: number };
}

export interface UserError {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code?: string;
  readonly elementIndex?: number;
}

/** Returns the planned user errors for a mutation. */
export function plannedErrors({ faults, operation, shop }: ResolverContext): UserError[] {
  const fault = faults.take(operation, ['userErrors'], shop.domain);
  return fault ? [{ field: fault.field ?? null, message: fault.message, code: fault.code ?? 'INVALID' }] : [];
}

/** Formats a time as Shopify does. */
export const isoOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Default creation date for objects. */
export const FIXED_DATE = '2026-03-02T09:00:00Z';
