import { webcrypto } from '#webcrypto';
import { ComplianceError, ConnectionError, DecodeError, errorClass, type Issue, TimeoutError } from './errors.ts';
import { type RateLimitWindow, rateLimitOf, retryAfterOf } from './limits.ts';

/** Client options. */
export interface ClientOptions {
  /** API key. Default: `COMPLIANCE_API_KEY`. */
  apiKey?: string | undefined;
  /**
   * Service URL. Default: `COMPLIANCE_BASE_URL`, or `http://127.0.0.1:8787`. The URL must use HTTPS, except for localhost.
   */
  baseURL?: string | undefined;
  /**
   * Whether to also allow plain HTTP to hosts other than localhost, such as a container in the same private network. Anyone who
   * can read the network traffic can then read the API key. Default: false.
   */
  allowHttp?: boolean | undefined;
  /** Timeout in milliseconds for each attempt, from connecting to receiving the last byte of the response. Default: 30,000. */
  timeoutMs?: number | undefined;
  /** Maximum number of retries after connection errors and 408, 409, 429, and 5xx responses. Default: 2. */
  maxRetries?: number | undefined;
  /** Replacement for the global `fetch`, for example for a proxy or a test stub. */
  fetch?: typeof fetch | undefined;
}

/** Options for a single call. Call options override the client options. */
export interface CallOptions {
  timeoutMs?: number | undefined;
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
 * Longest `Retry-After`, in seconds, that the client honors. If a response requests a longer wait, the call fails immediately.
 */
const MAX_WAIT = 60;
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
    if (!PRINTABLE.test(this.#key)) throw new TypeError('An API key is required. Set apiKey or COMPLIANCE_API_KEY.');
    this.#base = safeURL(options.baseURL ?? environment('COMPLIANCE_BASE_URL') ?? 'http://127.0.0.1:8787', options);
    this.#options = options;
  }

  /** Calls an operation with a JSON body. The path is relative to `/api/v1/`. */
  async call<Result>(path: string, request: object, options: CallOptions = {}): Promise<Result> {
    const idempotencyKey = options.idempotencyKey ?? randomKey();
    if (!PRINTABLE.test(idempotencyKey)) throw new TypeError('idempotencyKey must be printable ASCII without spaces.');
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey };
    const init = { method: 'POST', headers, body: JSON.stringify(request) };
    return this.#send(path, init, options);
  }

  /** Calls a read-only operation. Each defined field replaces its `{name}` placeholder in the path or is added to the query. */
  read<Result>(path: string, fields: object, options: CallOptions = {}): Promise<Result> {
    const query = new URLSearchParams();
    let filled = path;
    for (const [name, value] of Object.entries(fields)) {
      if (filled.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, encodeURIComponent(value));
      else if (value !== undefined) query.append(name, value);
    }
    return this.#send(`${filled}?${query}`, { method: 'GET' }, options);
  }

  async #send<Result>(path: string, init: RequestInit, options: CallOptions): Promise<Result> {
    const headers = {
      ...init.headers,
      Authorization: `Bearer ${this.#key}`,
      Accept: 'application/json',
      // Browsers send their own user agent.
      ...(!globalThis.navigator?.userAgent?.startsWith('Mozilla/') && { 'User-Agent': 'compliance-node/0.1.0' }),
    };
    const reply = await this.#retried(`${this.#base}/api/v1/${path}`, { ...init, headers }, options);
    const result = parseObject(textOf(reply.bytes));
    const { status, requestId } = reply;
    if (!result) throw new DecodeError(`${status}: the response isn't a JSON object.`, { status, requestId });
    return result as Result;
  }

  /** Downloads a file from a signed URL without sending the API key. */
  async download(url: string, options: CallOptions = {}): Promise<Uint8Array> {
    return (await this.#retried(safeURL(url, this.#options), { method: 'GET' }, options)).bytes;
  }

  /**
   * Sends one request to a signed URL without the API key, and returns the response before its body is read. Only `signal` limits
   * the time, because a file can take minutes.
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
      throw new ConnectionError('The connection failed or was lost.', { cause: error });
    }
  }

  async #retried(url: string, init: RequestInit, options: CallOptions): Promise<Reply> {
    const { signal, maxRetries: retries = this.#options.maxRetries ?? 2 } = options;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#once(url, init, options);
      } catch (error) {
        if (!isTransient(error) || attempt >= retries || (error.retryAfter ?? 0) > MAX_WAIT) throw error;
        // Use full jitter, so that clients that fail at the same time don't retry at the same time.
        const backoff = Math.random() * Math.min(8, 0.5 * 2 ** attempt);
        await sleep(Math.max(error.retryAfter ?? 0, backoff) * 1000, signal);
      }
    }
  }

  async #once(url: string, init: RequestInit, { signal, timeoutMs }: CallOptions): Promise<Reply> {
    signal?.throwIfAborted();
    const limit = timeoutMs ?? this.#options.timeoutMs ?? 30_000;
    const controller = new AbortController();
    const abort = () => controller.abort();
    const timer = setTimeout(abort, limit);
    signal?.addEventListener('abort', abort);
    try {
      const send = this.#options.fetch ?? fetch;
      const response = await send(url, { ...init, redirect: 'manual', signal: controller.signal });
      const bytes = await readAll(response);
      this.rateLimit = rateLimitOf(response.headers) ?? this.rateLimit;
      // Remove the API key from the error, because a service or gateway might echo the request.
      if (!response.ok) throw errorOf(response, textOf(bytes).replaceAll(this.#key, '[key]'));
      return { bytes, status: response.status, requestId: response.headers.get('x-request-id') ?? undefined };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ComplianceError) throw error;
      if (controller.signal.aborted) throw new TimeoutError(`The response wasn't complete within ${limit} ms.`);
      throw new ConnectionError('The connection failed or was lost.', { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      controller.abort();
    }
  }
}

/** Successful response. */
interface Reply {
  bytes: Uint8Array;
  status: number;
  requestId: string | undefined;
}

/** Checks that it's safe to send an API key to a URL, and returns the URL without its trailing slash. */
function safeURL(text: string, { allowHttp }: ClientOptions): string {
  const url = new URL(text);
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (isLoopback || allowHttp)))
    throw new TypeError('Use an HTTPS URL. Plain HTTP is allowed only for localhost, or with allowHttp.');
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

/** `randomUUID` isn't available on web pages without HTTPS. */
const randomKey = () => webcrypto.randomUUID?.() ?? webcrypto.getRandomValues(new Uint32Array(4)).join('-');

/** Returns an environment variable, if the runtime has environment variables and lets the program read them. */
function environment(name: string): string | undefined {
  try {
    return (globalThis as { process?: { env?: Record<string, string> } }).process?.env?.[name];
  } catch {
    return undefined;
  }
}

/** Waits until the time has passed or the signal is aborted. */
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

function errorOf({ status, headers }: Response, text: string): ComplianceError {
  const body = parseObject(text);
  const stringAt = (field: string) => (typeof body?.[field] === 'string' ? body[field] : undefined);
  const code = stringAt('error');
  const message = stringAt('message') ?? (status < 400 ? 'redirected; check the base URL.' : 'no message.');
  return new (errorClass(status, code))(`${status}${code ? ` ${code}` : ''}: ${message}`, {
    status,
    code,
    requestId: headers.get('x-request-id') ?? stringAt('request_id'),
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
