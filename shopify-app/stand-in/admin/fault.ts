/** A way in which Shopify may fail. */
export type Fault =
  /** An HTTP status with no answer: 401 revoked, 402 unpaid, 403, 423 locked, 429, 5xx. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: 'throttled' }
  | { readonly kind: 'slow'; readonly ms: number }
  /** JSON that ends in the middle. */
  | { readonly kind: 'broken' }
  /** The connection is cut before an answer. */
  | { readonly kind: 'hangUp' }
  /** An error of the whole query, such as `INTERNAL_SERVER_ERROR`. */
  | { readonly kind: 'error'; readonly code: string }
  /** A mutation does nothing and says so. */
  | {
      readonly kind: 'userErrors';
      readonly message: string;
      readonly field?: readonly string[];
      readonly code?: string;
    }
  | { readonly kind: 'bulkTimeout'; readonly afterLines: number }
  /** Theme files that cannot be read. */
  | { readonly kind: 'fileErrors'; readonly filenames: readonly string[] }
  | { readonly kind: 'fileBodies'; readonly as: 'base64' | 'url' }
  /** A file that was handed over is refused while it is processed. */
  | { readonly kind: 'fileFails'; readonly message: string };

/** Which calls a fault is for. */
export interface Aim {
  /**
   * The name of a GraphQL operation; `*`, the default, is any. Besides them: `token` (the token endpoint), `storage`
   * (uploads and downloads), `storefront` (pages).
   */
  readonly operation?: string;
  /** The shop's domain; all shops when it is left out. */
  readonly shop?: string;
  /** How many calls, one by default. */
  readonly times?: number;
}

const BESIDES = new Set(['token', 'storage', 'storefront']);

/** Faults that are to come. */
export class Faults {
  readonly #planned: { fault: Fault; operation: string; shop: string | null; times: number }[] = [];

  /** Lets the next calls of an operation fail in this way. @example faults.plan({ kind: 'status', status: 503 }, { times: 2 }) */
  plan(fault: Fault, { operation = '*', shop, times = 1 }: Aim = {}): void {
    this.#planned.push({ fault, operation, shop: shop ?? null, times });
  }

  /** Forgets what was planned and has not happened: of one shop, or all of it. */
  clear(shop?: string): void {
    for (const plan of this.#planned) if (shop === undefined || plan.shop === shop) plan.times = 0;
  }

  /** The next planned fault of a kind for an operation, used up by that. */
  take<Kind extends Fault['kind']>(
    operation: string,
    kinds: readonly Kind[],
    shop?: string,
  ): Extract<Fault, { kind: Kind }> | null {
    const planned = this.#planned.find(
      plan =>
        plan.times > 0 &&
        (plan.operation === operation || (plan.operation === '*' && !BESIDES.has(operation))) &&
        (plan.shop === null || plan.shop === shop) &&
        kinds.includes(plan.fault.kind as Kind),
    );
    if (!planned) return null;
    planned.times--;
    return planned.fault as Extract<Fault, { kind: Kind }>;
  }
}
