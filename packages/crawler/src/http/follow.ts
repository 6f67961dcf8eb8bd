import type { Dispatcher } from 'undici';
import { parseTarget } from '../address/target.ts';
import { ScanFailed } from '../scan-failed.ts';
import { failure } from './failure.ts';
import type { Session } from './session.ts';

/** The answer at the end of the redirects. Its body is not read yet: read or destroy it. */
export type Answer = {
  url: URL;
  status: number;
  headers: Record<string, string>;
  body: Dispatcher.ResponseData['body'];
};

const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * GETs a URL and follows its redirects by hand: every hop passes the address rules, the gate and `mayVisit` anew.
 *
 * No cookie is kept and no referrer or credential sent, so each hop knows as little of us as the first. Only the
 * `Location` header moves us, never `Refresh` or a meta element. A chain that began on https stays there.
 *
 * @param mayVisit asked before each request; throws to forbid it
 * @throws ScanFailed every reason but `invalid_url`, `not_html`, `blocked` and `http_error`
 */
export async function follow(session: Session, start: URL, mayVisit: (url: URL) => Promise<void>): Promise<Answer> {
  const seen = new Set<string>();
  let url = start;
  while (seen.size <= session.limits.redirects) {
    if (seen.has(url.href)) break;
    seen.add(url.href);
    await session.gate.admit(url);
    await mayVisit(url);
    const answer = await get(session, url);
    const location = answer.headers.location;
    if (!redirects.has(answer.status) || location === undefined) return answer;
    discard(answer);
    url = nextHop(location, url);
  }
  throw new ScanFailed('too_many_redirects');
}

/** Closes the connection of an answer whose body nobody wants. */
export function discard(answer: Answer): void {
  answer.body.on('error', () => {}).destroy();
}

async function get(session: Session, url: URL): Promise<Answer> {
  const { gate, signal, userAgent } = session;
  try {
    const response = await gate.agent.request({
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

/** Control characters go: a header may end up in a log line. */
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
  // A downgrade in the middle of a chain is a mistake or an attack. The https address serves the first and foils the other.
  if (from.protocol === 'https:' && next.protocol === 'http:') next.protocol = 'https:';
  return next;
}
