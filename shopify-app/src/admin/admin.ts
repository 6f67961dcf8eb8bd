import { setTimeout as wait } from 'node:timers/promises';
import { GraphqlQueryError, HttpRequestError, HttpResponseError, HttpThrottlingError } from '@shopify/shopify-api';
import { z } from 'zod';
import { plain } from '../plain.ts';

/** One question to Shopify's Admin API: its document, and the shape its answer must have. */
export interface Operation<Answer, Variables extends object = Record<string, never>> {
  /** The name in the document, for logs and limits. */
  readonly name: string;
  readonly document: string;
  readonly answer: z.ZodType<Answer>;
  /** Carries the type of the variables; never set. */
  readonly variables?: Variables;
}

/** Makes an {@link Operation}; the document's name is its name. */
export function defineOperation<Variables extends object = Record<string, never>>() {
  return <Answer>(document: string, answer: z.ZodType<Answer>): Operation<Answer, Variables> => ({
    name: /(?:query|mutation) (\w+)/.exec(document)![1]!,
    document,
    answer,
  });
}

/**
 * Why Shopify gave no answer. `revoked`: the token is worth nothing, the merchant must open the app again. `forbidden`: a
 * scope is missing. `frozen`: the shop is closed or has not paid. `throttled` and `unavailable`: later it may work.
 * `unexpected`: the answer is not what the operation promises.
 */
export type AdminFault = 'throttled' | 'revoked' | 'forbidden' | 'frozen' | 'unavailable' | 'unexpected';

/** Shopify gave no answer that can be used. The message holds nothing of the answer. */
export class AdminFailed extends Error {
  override readonly name = 'AdminFailed';
  readonly fault: AdminFault;
  readonly operation: string;
  constructor(fault: AdminFault, operation: string) {
    super(`${operation}: ${fault}`);
    this.fault = fault;
    this.operation = operation;
  }
}

/** Shopify's Admin API for one shop. */
export interface Admin {
  /**
   * Asks, waits while Shopify throttles, tries again what may pass, and checks the shape of the answer. What changes
   * something may be done twice when an answer was lost on its way, so a mutation must bear that.
   *
   * @throws AdminFailed, and a Response that a route lets pass: it brings the merchant back with a fresh token
   * @example
   * const { themes } = await admin.run(mainTheme, {});
   */
  run<Answer, Variables extends object>(
    operation: Operation<Answer, Variables>,
    variables: Variables,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Answer>;
}

/**
 * The client of Shopify's package: an answer as a `Response`, errors thrown. While a merchant is there it throws a failed
 * answer as a `Response` too, and for a revoked token the one that brings the merchant back with a fresh one.
 */
export type Graphql = (document: string, options: { variables: object; signal: AbortSignal }) => Promise<Response>;

/** How long a caller is ready to wait, in milliseconds: a page for a moment, a job for as long as throttling takes. */
export interface Patience {
  /** For throttling to pass and Shopify to recover, in all. */
  readonly longest: number;
  /** For one answer. */
  readonly answer: number;
}

export const PAGE: Patience = { longest: 3_000, answer: 5_000 };
export const JOB: Patience = { longest: 120_000, answer: 30_000 };

const cost = z.object({
  requestedQueryCost: z.number(),
  throttleStatus: z.object({ currentlyAvailable: z.number(), restoreRate: z.number().positive() }),
});
const graphqlErrors = z.array(z.object({ extensions: z.object({ code: z.string().optional() }).optional() }));

/**
 * The Admin API through Shopify's client.
 *
 * @example
 * const admin = createAdmin((await unauthenticated.admin(domain)).admin.graphql, JOB);
 */
export function createAdmin(graphql: Graphql, patience: Patience): Admin {
  return {
    async run(operation, variables, { signal } = {}) {
      let waited = 0;
      for (let attempt = 0; ; attempt++) {
        try {
          const late = AbortSignal.timeout(patience.answer);
          const either = signal ? AbortSignal.any([signal, late]) : late;
          const response = await graphql(operation.document, { variables, signal: either });
          const { data } = JSON.parse(await response.text(), plain) as { data?: unknown };
          const read = operation.answer.safeParse(data);
          if (!read.success) throw new AdminFailed('unexpected', operation.name);
          return read.data;
        } catch (error) {
          if (error instanceof AdminFailed || signal?.aborted) throw error;
          const { fault, after } = judge(error, attempt);
          if (after === null || waited + after > patience.longest) throw new AdminFailed(fault, operation.name);
          waited += after;
          await wait(after, undefined, signal && { signal });
        }
      }
    },
  };
}

/** What went wrong, and after how many milliseconds it is worth another try; null when it is not. */
interface Judgement {
  readonly fault: AdminFault;
  readonly after: number | null;
}

/**
 * What an error of Shopify's client means.
 *
 * @param attempt how often it was tried before
 * @throws the error itself when it does not come from Shopify, or is the answer of Shopify's package to the merchant
 */
export function judge(error: unknown, attempt: number): Judgement {
  const backoff = attempt < 6 ? Math.min(500 * 2 ** attempt, 30_000) : null;
  if (error instanceof GraphqlQueryError) {
    const codes = graphqlErrors.safeParse(error.body?.errors?.graphQLErrors).data ?? [];
    const has = (code: string) => codes.some(({ extensions }) => extensions?.code === code);
    if (has('THROTTLED')) return { fault: 'throttled', after: refill(error.body?.extensions?.cost) ?? backoff };
    if (has('ACCESS_DENIED')) return { fault: 'forbidden', after: null };
    if (has('INTERNAL_SERVER_ERROR')) return { fault: 'unavailable', after: backoff };
    return { fault: 'unexpected', after: null };
  }
  if (error instanceof HttpThrottlingError) {
    const { retryAfter } = error.response;
    return { fault: 'throttled', after: retryAfter ? retryAfter * 1000 : backoff };
  }
  if (error instanceof HttpResponseError) return judgeStatus(error.response.code, backoff);
  if (error instanceof HttpRequestError) return { fault: 'unavailable', after: backoff };
  if (error instanceof Response && error.status !== 401 && error.status >= 400)
    return judgeStatus(error.status, backoff);
  throw error;
}

function judgeStatus(status: number, backoff: number | null): Judgement {
  if (status === 401) return { fault: 'revoked', after: null };
  if (status === 403) return { fault: 'forbidden', after: null };
  if (status === 402 || status === 423) return { fault: 'frozen', after: null };
  if (status === 429) return { fault: 'throttled', after: backoff };
  // A success that is no JSON is a page of some proxy on the way.
  return { fault: 'unavailable', after: status >= 500 || status < 300 ? backoff : null };
}

/** Milliseconds until the shop's bucket holds what the query costs. */
function refill(extension: unknown): number | null {
  const read = cost.safeParse(extension);
  if (!read.success) return null;
  const { requestedQueryCost, throttleStatus } = read.data;
  const missing = requestedQueryCost - throttleStatus.currentlyAvailable;
  return Math.max(100, Math.ceil((missing / throttleStatus.restoreRate) * 1000));
}
