import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ComplianceError, ConnectionError, DecodeError, errorClass, type Issue, TimeoutError } from './errors.ts';
import { type RateLimitWindow, rateLimitOf, retryAfterOf } from './limits.ts';

/** How a client is set up. */
export interface ClientOptions {
  /** The API key. `COMPLIANCE_API_KEY` if left out. */
  apiKey?: string | undefined;
  /** Where the service is. `COMPLIANCE_BASE_URL` if left out, else `http://127.0.0.1:8787`. https unless it is this machine. */
  baseURL?: string | undefined;
  /** Milliseconds for each try, from the connection to the last byte of the answer. 30,000 if left out. */
  timeoutMs?: number | undefined;
  /** Tries after the first, on connection errors, 408, 409, 429 and 5xx. 2 if left out. */
  maxRetries?: number | undefined;
  /** Carries the requests instead of the global `fetch`: a proxy, a stub in tests. */
  fetch?: typeof fetch | undefined;
}

/** How one call differs from the client's setting. */
export interface CallOptions {
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Sent on every try of a call that is not only for reading. A random one if left out. */
  idempotencyKey?: string | undefined;
  /** Ends the call; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** No answer of the service comes near it: a longer one is refused before it fills the memory. */
const MAX_ANSWER = 64 * 1024 * 1024;
/** A longer `Retry-After`, in seconds, is for the caller to wait out. */
const MAX_WAIT = 60;
const PRINTABLE = /^[\x21-\x7e]+$/;

/** Sends requests: key, tries, timeout and errors. It is shared by the whole tree of a client. */
export class Exchange {
  /** What was left of the key's limits after the last answer that told. */
  rateLimit: readonly RateLimitWindow[] = [];
  readonly #key: string;
  readonly #base: string;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#key = options.apiKey ?? process.env.COMPLIANCE_API_KEY ?? '';
    if (!PRINTABLE.test(this.#key)) throw new TypeError('Give an API key: apiKey, or COMPLIANCE_API_KEY.');
    this.#base = safeURL(options.baseURL ?? process.env.COMPLIANCE_BASE_URL ?? 'http://127.0.0.1:8787');
    this.#options = options;
  }

  /** Calls an operation; its id is its path. */
  async call<Answer>(operation: string, request: object, options: CallOptions = {}): Promise<Answer> {
    const idempotencyKey = options.idempotencyKey ?? randomUUID();
    if (!PRINTABLE.test(idempotencyKey)) throw new TypeError('idempotencyKey must be printable ASCII without spaces.');
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey };
    const init = { method: 'POST', headers, body: JSON.stringify(request) };
    return this.#answer(operation.replaceAll('.', '/'), init, options);
  }

  /** Reads by a path and a query. Fields that are undefined are left out. */
  read<Answer>(path: string, query: Record<string, string | undefined>, options: CallOptions = {}): Promise<Answer> {
    const fields = Object.entries(query).filter((field): field is [string, string] => field[1] !== undefined);
    return this.#answer(`${path}?${new URLSearchParams(fields)}`, { method: 'GET' }, options);
  }

  async #answer<Answer>(path: string, init: RequestInit, options: CallOptions): Promise<Answer> {
    const headers = {
      ...init.headers,
      Authorization: `Bearer ${this.#key}`,
      Accept: 'application/json',
      'User-Agent': 'compliance-node/0.1.0',
    };
    const reply = await this.#retried(`${this.#base}/api/v1/${path}`, { ...init, headers }, options);
    const answer = objectIn(reply.bytes.toString());
    const { status, requestId } = reply;
    if (!answer) throw new DecodeError(`${status}: the answer is not a JSON object.`, { status, requestId });
    return answer as Answer;
  }

  /** Fetches a file by a signed address. The key is not sent. */
  async download(address: string, options: CallOptions = {}): Promise<Uint8Array> {
    return (await this.#retried(safeURL(address), { method: 'GET' }, options)).bytes;
  }

  async #retried(url: string, init: RequestInit, options: CallOptions): Promise<Reply> {
    const { signal, maxRetries: retries = this.#options.maxRetries ?? 2 } = options;
    for (let tried = 0; ; tried++) {
      try {
        return await this.#once(url, init, options);
      } catch (error) {
        if (!isTransient(error) || tried >= retries || (error.retryAfter ?? 0) > MAX_WAIT) throw error;
        // Full jitter, so that callers who failed together do not come back together.
        const backoff = Math.random() * Math.min(8, 0.5 * 2 ** tried);
        await sleep(Math.max(error.retryAfter ?? 0, backoff) * 1000, null, signal && { signal }).catch(() => {});
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
      // A service or gateway that repeats the request must not put the key into an error.
      if (!response.ok) throw failureOf(response, bytes.toString().replaceAll(this.#key, '[key]'));
      return { bytes, status: response.status, requestId: response.headers.get('x-request-id') ?? undefined };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ComplianceError) throw error;
      if (controller.signal.aborted) throw new TimeoutError(`No complete answer within ${limit} ms.`);
      throw new ConnectionError('The connection failed or broke.', { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      controller.abort();
    }
  }
}

/** A success, as it came. */
interface Reply {
  bytes: Buffer;
  status: number;
  requestId: string | undefined;
}

/** An address that a key may be sent to, without its last slash. */
function safeURL(address: string): string {
  const url = new URL(address);
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback))
    throw new TypeError('Use an https address; plain http is for this machine alone.');
  if (url.username || url.password) throw new TypeError('The address must not hold a user name or password.');
  return url.href.replace(/\/$/, '');
}

function isTransient(error: unknown): error is ComplianceError {
  if (error instanceof ConnectionError) return true;
  const { status = 0 } = error instanceof ComplianceError ? error : {};
  return [408, 409, 429].includes(status) || status >= 500;
}

async function readAll(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER) throw new DecodeError('The answer is over 64 MiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function failureOf({ status, headers }: Response, answer: string): ComplianceError {
  const body = objectIn(answer);
  const text = (field: string) => (typeof body?.[field] === 'string' ? body[field] : undefined);
  const code = text('error');
  const said = text('message') ?? (status < 400 ? 'a redirect; check the base URL.' : 'no further word.');
  return new (errorClass(status, code))(`${status}${code ? ` ${code}` : ''}: ${said}`, {
    status,
    code,
    requestId: headers.get('x-request-id') ?? text('request_id'),
    issues: Array.isArray(body?.issues) ? (body.issues as Issue[]) : [],
    retryAfter: retryAfterOf(headers),
    body,
  });
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
