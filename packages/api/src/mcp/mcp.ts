import { ERRORS, type ErrorCode } from '@compliance/contract/errors';
import type { Dataset } from '@compliance/core/tariff';
import { OperationError, type OperationFailure, type PerformOperation, SERVICE_TOOLS } from '@compliance/mcp';
import { calledTool, handleMcpRequest, rejectForeignRequest } from '@compliance/mcp/http';
import { hasDelegateAccess, type KeyRecord, type Store } from '@compliance/store';
import { type Context, Hono } from 'hono';
import { ApiError } from '../errors/api-error.ts';
import type { Connection } from '../http/client-network.ts';
import type { ApiEnv } from '../http/context.ts';
import { readJsonBody } from '../middleware/json-body.ts';
import { enforceRateLimit, setRateLimitHeaders } from '../middleware/rate-limit.ts';
import { OPERATIONS } from '../operations/operations.gen.ts';

/** MCP endpoint dependencies. */
interface McpDeps {
  store: Store;
  clock: () => number;
  dataset: () => Dataset;
  /**
   * The public base URL of the service. Requests must use the hostname in this URL. By default, any hostname is
   * accepted.
   */
  baseUrl: string | undefined;
  authenticate: (c: Context) => Promise<KeyRecord>;
  /** Sends a request to the API in this process. */
  fetch: (request: Request, connection: Connection) => Response | Promise<Response>;
  onFailure: ((failure: unknown, requestId: string) => void) | undefined;
}

const PATH = '/mcp';

/** API version that the server reports to clients. */
const VERSION = '1';

/** Operation response headers that are copied to the MCP response. */
const LIMIT_HEADERS = ['RateLimit', 'RateLimit-Policy', 'Retry-After'];

/** MCP request headers that are passed to the operation. */
const FORWARDED = ['authorization', 'idempotency-key', 'traceparent'];

/**
 * Creates the MCP endpoint, with the same keys, scopes, and limits as the API. A tool that performs an operation sends
 * a request to the API, so the call is rate-limited, counted, and logged like any API request. Any other message counts
 * as one request.
 */
export function mcpRoutes({ store, clock, dataset, baseUrl, authenticate, fetch, onFailure }: McpDeps): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.post(PATH, async c => {
    c.set('endpoint', { id: 'mcp', path: PATH });
    const foreign = rejectForeignRequest(c.req.raw, new URL(baseUrl ?? c.req.url).hostname);
    if (foreign) return foreign;
    const headers = c.get('responseHeaders');
    headers.Vary = 'Authorization, Accept';
    const key = await authenticate(c);
    c.set('keyId', key.id);
    const hasAccess = hasDelegateAccess(key.note);
    let isCounted = false;
    const count = async () => {
      isCounted = true;
      const now = clock();
      const take = await store.limits.take(key.family);
      setRateLimitHeaders(c, take, now);
      if (!hasAccess) throw new ApiError('beta');
      enforceRateLimit(take, now);
    };
    const perform: PerformOperation = async (operation, request) => {
      const response = await fetch(operationRequest(c, operation, request), c.env);
      isCounted = true;
      for (const name of LIMIT_HEADERS) {
        const value = response.headers.get(name);
        if (value !== null) headers[name] = value;
      }
      if (!response.ok) throw await failureOf(response);
      return await response.json();
    };
    const body = await readJsonBody(c).then(
      message => ({ message }),
      (error: unknown) => ({ error }),
    );
    const message = 'message' in body ? body.message : null;
    const called = SERVICE_TOOLS.find(({ name }) => name === calledTool(message));
    if (!called?.performsOperation || !hasAccess) await count();
    if ('error' in body) throw body.error;
    if (Array.isArray(message)) throw new ApiError('invalid_request', { detail: { issues: [NO_BATCHES] } });
    const response = await handleMcpRequest(c.req.raw, message, {
      version: VERSION,
      clock,
      dataset,
      tools: SERVICE_TOOLS,
      perform,
      onFailure: failure => onFailure?.(failure, c.get('requestId')),
    });
    // Calls with invalid arguments never reach the operation, so count them here.
    if (!isCounted) await count();
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  });
  return app;
}

const NO_BATCHES = { path: '', code: 'INVALID_TYPE', message: 'Send one message per request.' };

/** Creates the API request for an operation. */
function operationRequest(c: Context<ApiEnv>, id: string, request: object): Request {
  const { method, path } = OPERATIONS.find(operation => operation.id === id)!;
  const rest: Record<string, unknown> = { ...request };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(`${rest[name]}`);
    delete rest[name];
    return value;
  });
  const headers = new Headers({ 'X-Request-Id': c.get('requestId') });
  for (const name of FORWARDED) {
    const value = c.req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  const url = new URL(filled, c.req.url);
  const { signal } = c.req.raw;
  if (method === 'get') {
    url.search = `${new URLSearchParams(rest as Record<string, string>)}`;
    return new Request(url, { headers, signal });
  }
  headers.set('Content-Type', 'application/json');
  return new Request(url, { method: 'POST', headers, body: JSON.stringify(rest), signal });
}

/** Converts an error response to a tool error. */
async function failureOf(response: Response): Promise<OperationError> {
  const body = (await response.json()) as Partial<OperationFailure> & { error: ErrorCode };
  const retryAfter = response.headers.get('Retry-After');
  const { error, message = ERRORS[error].message } = body;
  return new OperationError({ ...body, message, ...(retryAfter !== null && { retry_after: Number(retryAfter) }) });
}
