import { setTimeout as wait } from 'node:timers/promises';
import { GraphqlQueryError, HttpRequestError, HttpResponseError, HttpThrottlingError } from '@shopify/shopify-api';
import { z } from 'zod';
import { sanitizeText } from '../lib/sanitize-text.ts';
import type { AdminOperation } from './operations/define-admin-operation.ts';

/**
 * Reason that an Admin API call failed. `revoked` means that the token is no longer valid and the merchant must open
 * the app again. `forbidden` means that the app lacks a scope. `frozen` means that the shop is closed or hasn't paid
 * Shopify. After `throttled` or `unavailable`, a later attempt might succeed. `unexpected` means that the response
 * contains any other GraphQL error or doesn't match the operation's schema.
 */
export type AdminFault = 'throttled' | 'revoked' | 'forbidden' | 'frozen' | 'unavailable' | 'unexpected';

/** Thrown when Shopify doesn't return a usable response. The error message never includes response content. */
export class AdminApiError extends Error {
  override readonly name = 'AdminApiError';
  readonly fault: AdminFault;
  readonly operation: string;
  constructor(fault: AdminFault, operation: string) {
    super(`${operation}: ${fault}`);
    this.fault = fault;
    this.operation = operation;
  }
}

/** Admin API client for one shop. */
export interface Admin {
  /**
   * Runs an Admin API operation. Waits while Shopify throttles requests, retries temporary failures, and validates the
   * response. If a response is lost, a mutation might run twice, so every mutation must be safe to repeat.
   *
   * @throws AdminApiError if the call fails, or a `Response` that the route must rethrow so that the merchant is
   * redirected to get a fresh token
   * @example
   * const { themes } = await admin.run(mainTheme, {});
   */
  run<Answer, Variables extends object>(
    operation: AdminOperation<Answer, Variables>,
    variables: Variables,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Answer>;
}

/**
 * The Shopify package's GraphQL client. The client returns a `Response` or throws an error. During a merchant's
 * request, the client throws a `Response` if the call fails. If the token was revoked, that `Response` redirects the
 * merchant to get a fresh token.
 */
export type Graphql = (document: string, options: { variables: object; signal: AbortSignal }) => Promise<Response>;

/**
 * Maximum wait times for a caller, in milliseconds. A page waits only briefly, but a job can wait for throttling to
 * end.
 */
export interface RetryBudget {
  /** Total time to wait for throttling or a Shopify outage to end. */
  readonly totalMs: number;
  /** Timeout for one response. */
  readonly responseMs: number;
}

export const PAGE_BUDGET: RetryBudget = { totalMs: 3_000, responseMs: 5_000 };
export const JOB_BUDGET: RetryBudget = { totalMs: 120_000, responseMs: 30_000 };

const cost = z.object({
  requestedQueryCost: z.number(),
  throttleStatus: z.object({ currentlyAvailable: z.number(), restoreRate: z.number().positive() }),
});
const graphqlErrors = z.array(z.object({ extensions: z.object({ code: z.string().optional() }).optional() }));

/**
 * Creates an Admin API client that wraps Shopify's client.
 *
 * @example
 * const admin = createAdmin((await unauthenticated.admin(domain)).admin.graphql, JOB_BUDGET);
 */
export function createAdmin(graphql: Graphql, budget: RetryBudget): Admin {
  return {
    async run(operation, variables, { signal } = {}) {
      let waited = 0;
      for (let attempt = 0; ; attempt++) {
        try {
          const timeout = AbortSignal.timeout(budget.responseMs);
          const anySignal = signal ? AbortSignal.any([signal, timeout]) : timeout;
          const response = await graphql(operation.document, { variables, signal: anySignal });
          const { data } = JSON.parse(await response.text(), sanitizeText) as { data?: unknown };
          const read = operation.response.safeParse(data);
          if (!read.success) throw new AdminApiError('unexpected', operation.name);
          return read.data;
        } catch (error) {
          if (error instanceof AdminApiError || signal?.aborted) throw error;
          const { fault, retryAfterMs } = interpretError(error, attempt);
          if (retryAfterMs === null || waited + retryAfterMs > budget.totalMs)
            throw new AdminApiError(fault, operation.name);
          waited += retryAfterMs;
          await wait(retryAfterMs, undefined, signal && { signal });
        }
      }
    },
  };
}

/** Error code and retry delay, in milliseconds, for a failed call. The delay is null if the call isn't retried. */
interface ErrorInterpretation {
  readonly fault: AdminFault;
  readonly retryAfterMs: number | null;
}

/**
 * Maps an error from Shopify's client to an error code and a retry delay.
 *
 * @param attempt number of earlier attempts
 * @throws the original error if it wasn't caused by Shopify or is the Shopify package's `Response` to the merchant
 */
export function interpretError(error: unknown, attempt: number): ErrorInterpretation {
  const backoff = attempt < 6 ? Math.min(500 * 2 ** attempt, 30_000) : null;
  if (error instanceof GraphqlQueryError) {
    const codes = graphqlErrors.safeParse(error.body?.errors?.graphQLErrors).data ?? [];
    const has = (code: string) => codes.some(({ extensions }) => extensions?.code === code);
    if (has('THROTTLED')) return { fault: 'throttled', retryAfterMs: refill(error.body?.extensions?.cost) ?? backoff };
    if (has('ACCESS_DENIED')) return { fault: 'forbidden', retryAfterMs: null };
    if (has('INTERNAL_SERVER_ERROR')) return { fault: 'unavailable', retryAfterMs: backoff };
    return { fault: 'unexpected', retryAfterMs: null };
  }
  if (error instanceof HttpThrottlingError) {
    const { retryAfter } = error.response;
    return { fault: 'throttled', retryAfterMs: retryAfter ? retryAfter * 1000 : backoff };
  }
  if (error instanceof HttpResponseError) return interpretStatus(error.response.code, backoff);
  if (error instanceof HttpRequestError) return { fault: 'unavailable', retryAfterMs: backoff };
  if (error instanceof Response && error.status !== 401 && error.status >= 400)
    return interpretStatus(error.status, backoff);
  throw error;
}

function interpretStatus(status: number, backoff: number | null): ErrorInterpretation {
  if (status === 401) return { fault: 'revoked', retryAfterMs: null };
  if (status === 403) return { fault: 'forbidden', retryAfterMs: null };
  if (status === 402 || status === 423) return { fault: 'frozen', retryAfterMs: null };
  if (status === 429) return { fault: 'throttled', retryAfterMs: backoff };
  // A successful response that isn't JSON must come from an intermediate proxy.
  return { fault: 'unavailable', retryAfterMs: status >= 500 || status < 300 ? backoff : null };
}

/**
 * Returns the time in milliseconds until the shop's rate limit bucket has enough points for the query, or null if the
 * response doesn't include the query's cost.
 */
function refill(extension: unknown): number | null {
  const read = cost.safeParse(extension);
  if (!read.success) return null;
  const { requestedQueryCost, throttleStatus } = read.data;
  const missing = requestedQueryCost - throttleStatus.currentlyAvailable;
  return Math.max(100, Math.ceil((missing / throttleStatus.restoreRate) * 1000));
}
