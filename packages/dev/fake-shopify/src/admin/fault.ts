/** Simulated Shopify failure. */
export type Fault =
  /** HTTP error status, such as 401 (revoked), 402 (unpaid), 403, 423 (locked), 429, or 5xx. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: 'throttled' }
  | { readonly kind: 'slow'; readonly ms: number }
  /** Response body with truncated JSON. */
  | { readonly kind: 'broken' }
  /** Connection that is closed without a response. */
  | { readonly kind: 'hangUp' }
  /** GraphQL error for the whole query, such as `INTERNAL_SERVER_ERROR`. */
  | { readonly kind: 'error'; readonly code: string }
  /** Mutation that changes nothing and returns a user error. */
  | {
      readonly kind: 'userErrors';
      readonly message: string;
      readonly field?: readonly string[];
      readonly code?: string;
    }
  | { readonly kind: 'bulkTimeout'; readonly afterLines: number }
  /** Theme files that can't be read. */
  | { readonly kind: 'fileErrors'; readonly filenames: readonly string[] }
  | { readonly kind: 'fileBodies'; readonly as: 'base64' | 'url' }
  /** Uploaded file that fails during processing. */
  | { readonly kind: 'fileFails'; readonly message: string };

/** Filter for the calls that a fault affects. */
export interface FaultTarget {
  /**
   * Name of a GraphQL operation, or `*` (the default) for any operation. Calls that don't use GraphQL have the names
   * `token` (token endpoint), `storage` (uploads and downloads), and `storefront` (pages).
   */
  readonly operation?: string;
  /** Shop domain. Defaults to all shops. */
  readonly shop?: string;
  /** Number of calls that the fault affects. Defaults to one. */
  readonly times?: number;
}

const NON_GRAPHQL = new Set(['token', 'storage', 'storefront']);

/** Faults planned for upcoming calls. */
export class Faults {
  readonly #planned: { fault: Fault; operation: string; shop: string | null; times: number }[] = [];

  /** Plans a fault for the next matching calls. @example faults.plan({ kind: 'status', status: 503 }, { times: 2 }) */
  plan(fault: Fault, { operation = '*', shop, times = 1 }: FaultTarget = {}): void {
    this.#planned.push({ fault, operation, shop: shop ?? null, times });
  }

  /** Removes planned faults that haven't occurred yet, for one shop or for all shops. */
  clear(shop?: string): void {
    for (const plan of this.#planned) if (shop === undefined || plan.shop === shop) plan.times = 0;
  }

  /**
   * Returns an operation's next planned fault of one of the given kinds, and decrements the fault's remaining call
   * count.
   */
  take<Kind extends Fault['kind']>(
    operation: string,
    kinds: readonly Kind[],
    shop?: string,
  ): Extract<Fault, { kind: Kind }> | null {
    const planned = this.#planned.find(
      plan =>
        plan.times > 0 &&
        (plan.operation === operation || (plan.operation === '*' && !NON_GRAPHQL.has(operation))) &&
        (plan.shop === null || plan.shop === shop) &&
        kinds.includes(plan.fault.kind as Kind),
    );
    if (!planned) return null;
    planned.times--;
    return planned.fault as Extract<Fault, { kind: Kind }>;
  }
}
