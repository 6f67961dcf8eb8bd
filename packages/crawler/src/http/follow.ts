import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { Dispatcher } from 'undici';
import { parseTarget } from '../address/parse-target.ts';
import { rateTargetsOf } from '../rate/target-rate.ts';
import { ScanFailed, TargetBusy } from '../scan-failed.ts';
import { inSpan } from '../tracing/in-span.ts';
import { failure } from './failure.ts';
import type { Session } from './session.ts';

/** The final response after redirects. The body hasn't been read yet, so the caller must read or discard it. */
export type Answer = {
  url: URL;
  status: number;
  headers: Record<string, string>;
  body: Dispatcher.ResponseData['body'];
};

const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Minimum pause before retrying a busy target, in milliseconds. If several scans are waiting for the same target, they
 * share the requests that its rate limit allows next.
 */
const leastWaitMs = 100;

/**
 * Sends a GET request and follows redirects. Every hop must pass URL parsing, the SSRF guard, and `mayVisit`.
 *
 * The crawler doesn't keep cookies or send a referrer or credentials, so servers later in the chain don't get more
 * information about the crawler than the first server. The crawler follows only the `Location` header, never a
 * `Refresh` header or a meta element. A redirect chain that starts with HTTPS never switches to HTTP.
 *
 * @param mayVisit called before each request; throws an error to prevent the request
 * @throws ScanFailed with any reason except `invalid_url`, `not_html`, `blocked`, or `http_error`
 */
export async function follow(session: Session, start: URL, mayVisit: (url: URL) => Promise<void>): Promise<Answer> {
  const seen = new Set<string>();
  let url = start;
  while (seen.size <= session.limits.redirects) {
    if (seen.has(url.href)) break;
    seen.add(url.href);
    const addresses = await session.guard.admit(url);
    await mayVisit(url);
    await countRequest(session, url, addresses);
    const answer = await get(session, url);
    const location = answer.headers.location;
    if (!redirects.has(answer.status) || location === undefined) return answer;
    discard(answer);
    url = nextHop(location, url);
  }
  throw new ScanFailed('too_many_redirects');
}

/** Discards a response's body and closes the connection. */
export function discard(answer: Answer): void {
  answer.body.on('error', () => {}).destroy();
}

/**
 * Counts a request toward the session's budget and toward the rate limits of its targets. Every request for a page,
 * script, robots.txt file, or other file passes through this function, and so does every connection of the forward
 * proxy.
 */
export async function countRequest(session: Session, url: URL, addresses: readonly string[]): Promise<void> {
  const { budget, deadline, limits, signal, site, targetRate } = session;
  budget.countRequest(url.hostname, addresses);
  for (const target of rateTargetsOf(url, addresses, site)) {
    for (;;) {
      const { retryAt } = await targetRate.take(target, limits.requestsPerTargetMinute);
      if (retryAt === null) break;
      const ms = Math.max(leastWaitMs, retryAt - Date.now());
      if (deadline.pausedMs + ms > limits.targetWaitMs) throw new TargetBusy(retryAt);
      await deadline.pause(ms, signal).catch(() => {
        throw new TargetBusy(retryAt);
      });
    }
  }
}

/**
 * Sends one request. Its span records the URL's scheme, host, and port, but not the path or the query. The request
 * never carries the trace context, because a scanned site must not learn anything about the caller.
 */
async function get({ guard, signal, userAgent }: Session, url: URL): Promise<Answer> {
  return await inSpan(
    'GET',
    fetchAttributes(url),
    async span => {
      const answer = await request({ guard, signal, userAgent }, url);
      span.setAttribute('http.response.status_code', answer.status);
      return answer;
    },
    SpanKind.CLIENT,
  );
}

function fetchAttributes({ hostname, protocol, port }: URL): Attributes {
  const secure = protocol === 'https:';
  return {
    'http.request.method': 'GET',
    'url.scheme': secure ? 'https' : 'http',
    'server.address': hostname,
    'server.port': Number(port) || (secure ? 443 : 80),
  };
}

async function request(
  { guard, signal, userAgent }: Pick<Session, 'guard' | 'signal' | 'userAgent'>,
  url: URL,
): Promise<Answer> {
  try {
    const response = await guard.agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      signal,
      headers: {
        'user-agent': userAgent,
        accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
        'accept-language': 'en-US,en;q=0.9',
        'accept-encoding': 'gzip, br',
      },
    });
    return { url, status: response.statusCode, headers: readHeaders(response.headers), body: response.body };
  } catch (error) {
    throw failure(error, signal);
  }
}

/**
 * Converts headers to a record without `set-cookie`. Replaces control characters with spaces, because headers might be
 * logged.
 */
function readHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'set-cookie')
      .map(([name, value]) => [
        name,
        [value]
          .flat()
          .join(', ')
          .replace(/\p{Cc}/gu, ' '),
      ]),
  );
}

function nextHop(location: string, from: URL): URL {
  let next: URL;
  try {
    next = parseTarget(location, from);
  } catch {
    throw new ScanFailed('refused_address');
  }
  // A redirect from HTTPS to HTTP is either a mistake or an attack. Requesting the URL over HTTPS corrects the mistake
  // or prevents the attack.
  if (from.protocol === 'https:' && next.protocol === 'http:') next.protocol = 'https:';
  return next;
}
