/** A way in which Shopify may fail. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'throttled' }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'broken' }
  | { readonly kind: 'userErrors'; readonly message: string }
  | { readonly kind: 'bulkTimeout'; readonly afterLines: number }
  | { readonly kind: 'fileErrors'; readonly filenames: readonly string[] }
  | { readonly kind: 'fileBodies'; readonly as: 'base64' | 'url' };

/** Faults that are to come, by operation name; `*` is any. */
export class Faults {
  readonly #planned: { fault: Fault; operation: string; times: number }[] = [];

  /** Lets the next calls of an operation fail in this way. */
  plan(fault: Fault, { operation = '*', times = 1 }: { operation?: string; times?: number } = {}): void {
    this.#planned.push({ fault, operation, times });
  }

  /** The next planned fault of a kind for an operation, used up by that. */
  take<Kind extends Fault['kind']>(operation: string, kinds: readonly Kind[]): Extract<Fault, { kind: Kind }> | null {
    const planned = this.#planned.find(
      plan =>
        plan.times > 0 &&
        (plan.operation === '*' || plan.operation === operation) &&
        kinds.includes(plan.fault.kind as Kind),
    );
    if (!planned) return null;
    planned.times--;
    return planned.fault as Extract<Fault, { kind: Kind }>;
  }
}
