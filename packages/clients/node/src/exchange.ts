import { webcrypto } from '#webcrypto';
import {
  ComplianceError,
  ConnectionError,
  DecodeError,
  errorClass,
  type Issue,
  messageFor,
  TimeoutError,
} from './errors.ts';
import { type RateLimitWindow, rateLimitOf, retryAfterOf } from './limits.ts';
import type { ErrorCode, ErrorReason, Open } from './models.gen.ts';
import { type RequestEvent, type ResponseEvent, type ResponseInfo, withResponse } from './response.ts';

/** Client options. */
export interface ClientOptions {
  /** API key. Default: `COMPLIANCE_API_KEY`. */
  apiKey?: string | undefined;
  /**
   * Service URL. Default: `COMPLIANCE_BASE_URL`, or `http://127.0.0.1:8787`. The URL must use HTTPS, except for
   * localhost.
   */
  baseURL?: string | undefined;
  /**
   * Whether to also allow plain HTTP to hosts other than localhost, such as a container on the same private network.
   * Anyone who can read the network traffic can then read the API key. Default: false.
   */
  allowHttp?: boolean | undefined;
  /**
   * Timeout in milliseconds for each attempt, from connecting to receiving the last byte of the response. Default:
   * 30,000.
   */
  timeoutMs?: number | undefined;
  /**
   * Time limit in milliseconds for each call, including its retries, the waits between them, and all requests in a long
   * lookup. Default: none.
   */
  deadlineMs?: number | undefined;
  /** Maximum number of retries after connection errors and 408, 409, 429, and 5xx responses. Default: 2. */
  maxRetries?: number | undefined;
  /** Replacement for the global `fetch`, for example for a proxy or a test stub. */
  fetch?: typeof fetch | undefined;
  /** Function that is called before each attempt, for example, for logging. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /**
   * Function that is called after each attempt that ends with a response or an error, but not after an aborted attempt.
   */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
}

/** Options for a single call. Call options override the client options. */
export interface CallOptions {
  timeoutMs?: number | undefined;
  deadlineMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Idempotency key sent with every attempt of a call that isn't read-only. Default: a random key. */
  idempotencyKey?: string | undefined;
  /** Signal that aborts the call. If the call is aborted, its promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Maximum response size in bytes, far larger than any real response. The limit prevents a response from exhausting
 * memory.
 */
const MAX_RESPONSE = 64 * 1024 * 1024;
/**
 * Longest `Retry-After`, in seconds, that the client honors. If a response requests a longer wait, the call fails
 * immediately.
 */
const MAX_WAIT = 60;
const LATE = "The call didn't finish before its deadline.";
const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * Request layer shared by all client operations. The layer adds the API key, retries requests, applies timeouts, and
 * maps errors.
 */
export class Exchange {
  /** Remaining rate limits from the most recent response that included them. */
  rateLimit: readonly RateLimitWindow[] = [];
  readonly #key: string;
  readonly #base: string;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#key = options.apiKey ?? environment('COMPLIANCE_API_KEY') ?? '';
    if (!PRINTABLE.test(this.#key))
      throw new TypeError('Set apiKey or COMPLIANCE_API_KEY to an API key (printable ASCII without spaces).');
    this.#base = safeURL(options.baseURL ?? environment('COMPLIANCE_BASE_URL') ?? 'http://127.0.0.1:8787', options);
    this.#options = options;
  }

  /** Returns a call's deadline, in milliseconds on the `performance.now()` clock. */
  until({ deadlineMs = this.#options.deadlineMs }: CallOptions): number {
    return performance.now() + (deadlineMs ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Calls an operation with a JSON body. The path is relative to `/api/v1/`. Throws a `TypeError` if a field named in
   * `lists` is a string.
   */
  async call<Result extends object>(
    path: string,
    request: object,
    options: TimedOptions = {},
    lists: readonly string[] = [],
  ): Promise<Result> {
    for (const name of lists) {
      if (typeof (request as Record<string, unknown>)[name] === 'string')
        throw new TypeError(`${name} must be a list, such as ['…'].`);
    }
    const idempotencyKey = options.idempotencyKey ?? randomKey();
    if (!PRINTABLE.test(idempotencyKey)) throw new TypeError('idempotencyKey must be printable ASCII without spaces.');
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey };
    const init = { method: 'POST', headers, body: JSON.stringify(request) };
    return this.#send(path, init, options);
  }

  /**
   * Calls a read-only operation. Each defined field replaces its `{name}` placeholder in the path or is added to the
   * query.
   */
  read<Result extends object>(path: string, fields: object, options: CallOptions = {}): Promise<Result> {
    const query = new URLSearchParams();
    let filled = path;
    for (const [name, value] of Object.entries(fields)) {
      if (filled.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, encodeURIComponent(value));
      else if (value !== undefined) query.append(name, value);
    }
    return this.#send(`${filled}?${query}`, { method: 'GET' }, options);
  }

  /**
   * Yields the items of all pages. `items` is the name of the response field that contains a page's items. `cursor` is
   * the name of the query parameter that selects the next page. The response field `next_<cursor>` contains the
   * parameter's value for that page.
   */
  async *pages<Item>(
    path: string,
    fields: object,
    options: CallOptions | undefined,
    { items, cursor }: { items: string; cursor: string },
  ): AsyncGenerator<Item, void, undefined> {
    for (let next: unknown; next !== null; ) {
      const page: Record<string, unknown> = await this.read(
        path,
        { ...fields, ...(next !== undefined && { [cursor]: next }) },
        options,
      );
      const found = page[items];
      if (!Array.isArray(found)) throw new DecodeError(`The response doesn't contain ${items}.`);
      if (found.length === 0) return;
      yield* found as Item[];
      next = page[`next_${cursor}`] ?? null;
    }
  }

  async #send<Result extends object>(path: string, init: RequestInit, options: TimedOptions): Promise<Result> {
    const headers = {
      ...init.headers,
      Authorization: `Bearer ${this.#key}`,
      Accept: 'application/json',
      // Browsers send their own user agent.
      ...(!globalThis.navigator?.userAgent?.startsWith('Mozilla/') && { 'User-Agent': 'compliance-node/0.1.0' }),
    };
    const reply = await this.#retried(`${this.#base}/api/v1/${path}`, { ...init, headers }, options);
    const result = parseObject(textOf(reply.bytes));
    const { bytes: _, ...info } = reply;
    if (!result) throw new DecodeError(`${info.status}: the response isn't a JSON object.`, info);
    return withResponse(result as Result, info);
  }

  /** Downloads a file from a signed URL without sending the API key. */
  async download(url: string, options: CallOptions = {}): Promise<Uint8Array> {
    return (await this.#retried(safeURL(url, this.#options), { method: 'GET' }, options)).bytes;
  }

  /**
   * Sends one request, without the API key, to a signed URL and returns the response before its body is read. This
   * method has no timeout, because a transfer can take minutes. To end a transfer early, abort `signal`.
   */
  async transfer(url: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
    const target = safeURL(url, this.#options);
    const send = this.#options.fetch ?? fetch;
    try {
      const response = await send(target, { ...init, redirect: 'manual', ...(signal && { signal }) });
      if (!response.ok) throw errorOf(response, textOf(await readAll(response)));
      return response;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ComplianceError) throw error;
      throw new ConnectionError(`The connection to ${new URL(url).host} failed or was lost.`, { cause: error });
    }
  }

  async #retried(url: string, init: RequestInit, options: TimedOptions): Promise<Reply> {
    const { signal, maxRetries: retries = this.#options.maxRetries ?? 2, until = this.until(options) } = options;
    const { onRequest, onResponse } = this.#options;
    const idempotencyKey = new Headers(init.headers).get('idempotency-key') ?? undefined;
    for (let attempt = 1; ; attempt++) {
      const event = { method: init.method!, url: url.replace(/\?.*/s, ''), attempt, idempotencyKey };
      onRequest?.(event);
      const started = performance.now();
      const reply = await this.#once(url, init, options, until);
      const error = reply instanceof ComplianceError ? reply : undefined;
      const { status, requestId, rateLimit } = reply;
      if (rateLimit.length > 0) this.rateLimit = rateLimit;
      onResponse?.({ ...event, status, requestId, rateLimit, durationMs: performance.now() - started, error });
      if (!(reply instanceof ComplianceError)) return reply;
      const { retryAfter = 0 } = reply;
      // Use full jitter, so that clients that fail at the same time don't retry at the same time.
      const wait = Math.max(retryAfter, Math.random() * Math.min(8, 0.5 * 2 ** (attempt - 1))) * 1000;
      const isLate = performance.now() + wait >= until;
      if (!isTransient(reply) || attempt > retries || retryAfter > MAX_WAIT || isLate) throw reply;
      await sleep(wait, signal);
    }
  }

  /**
   * Makes one attempt and returns the response or the error that ended it. Throws only if the caller aborts the call.
   */
  async #once(
    url: string,
    init: RequestInit,
    { signal, timeoutMs = this.#options.timeoutMs ?? 30_000 }: CallOptions,
    until: number,
  ): Promise<Reply | ComplianceError> {
    signal?.throwIfAborted();
    const left = until - performance.now();
    if (left <= 0) return new TimeoutError(LATE);
    const controller = new AbortController();
    const abort = () => controller.abort();
    // If the delay exceeds 2 ** 31 - 1 ms, `setTimeout` fires immediately.
    const timer = setTimeout(abort, Math.min(timeoutMs, left, 2 ** 31 - 1));
    signal?.addEventListener('abort', abort);
    try {
      const send = this.#options.fetch ?? fetch;
      const response = await send(url, { ...init, redirect: 'manual', signal: controller.signal });
      const bytes = await readAll(response);
      // Remove the API key from the error, because a service or gateway might echo the request.
      if (!response.ok) return errorOf(response, textOf(bytes).replaceAll(this.#key, '[key]'));
      return { bytes, ...infoOf(response) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ComplianceError) return error;
      if (!controller.signal.aborted)
        return new ConnectionError(`The connection to ${new URL(url).host} failed or was lost.`, { cause: error });
      return new TimeoutError(left < timeoutMs ? LATE : `The request timed out after ${timeoutMs} ms.`);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      controller.abort();
    }
  }
}

/** Options for a call that shares its deadline with other calls. */
interface TimedOptions extends CallOptions {
  /** Deadline of the call, in milliseconds on the `performance.now()` clock. */
  until?: number | undefined;
}

/** Successful response. */
interface Reply extends ResponseInfo {
  bytes: Uint8Array;
}

/** Checks that it's safe to send an API key to a URL, and returns the URL without its trailing slash. */
function safeURL(text: string, { allowHttp }: ClientOptions): string {
  const url = new URL(text);
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (isLoopback || allowHttp)))
    throw new TypeError('Use an HTTPS URL. Plain HTTP is allowed only for localhost or if allowHttp is set.');
  if (url.username || url.password) throw new TypeError('The URL must not contain a username or password.');
  return url.href.replace(/\/$/, '');
}

function isTransient(error: unknown): error is ComplianceError {
  if (error instanceof ConnectionError) return true;
  const { status = 0 } = error instanceof ComplianceError ? error : {};
  return [408, 409, 429].includes(status) || status >= 500;
}

async function readAll({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader!.read()) {
    size += part.value.byteLength;
    if (size > MAX_RESPONSE) throw new DecodeError('The response is larger than 64 MiB.');
    chunks.push(part.value);
  }
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Returns a random idempotency key. `randomUUID` isn't available on web pages without HTTPS. */
const randomKey = () => webcrypto.randomUUID?.() ?? webcrypto.getRandomValues(new Uint32Array(4)).join('-');

/**
 * Returns the value of an environment variable, or undefined if the variable isn't set or the runtime doesn't let the
 * program read it.
 */
function environment(name: string): string | undefined {
  try {
    return (globalThis as { process?: { env?: Record<string, string> } }).process?.env?.[name];
  } catch {
    return undefined;
  }
}

/** Waits for the given number of milliseconds, or until the signal is aborted. */
function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}

function infoOf({ status, headers }: Response): ResponseInfo {
  return { status, requestId: headers.get('x-request-id') ?? undefined, rateLimit: rateLimitOf(headers) };
}

function errorOf(response: Response, text: string): ComplianceError {
  const { status, headers } = response;
  const body = parseObject(text);
  const stringAt = (field: string) => (typeof body?.[field] === 'string' ? body[field] : undefined);
  const code = stringAt('error') as Open<ErrorCode> | undefined;
  const message = stringAt('message') ?? (status < 400 ? 'redirected; check the base URL.' : messageFor(code));
  const info = infoOf(response);
  return new (errorClass(status, code))(`${status}${code ? ` ${code}` : ''}: ${message}`, {
    ...info,
    requestId: info.requestId ?? stringAt('request_id'),
    code,
    reason: stringAt('reason') as Open<ErrorReason> | undefined,
    issues: Array.isArray(body?.issues) ? (body.issues as Issue[]) : [],
    retryAfter: retryAfterOf(headers),
    body,
  });
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
