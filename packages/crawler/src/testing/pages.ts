import type { RequestListener } from 'node:http';

/** One answer of a test site. A string is an HTML page. */
export type Reply = string | { status?: number; headers?: Record<string, string | string[]>; body?: string | Buffer };

/**
 * A site that answers by path. A path that is not named is 404, robots.txt too, so that robots are welcome by default.
 *
 * @example pages({ '/': '<h1>Shop</h1>', '/old': { status: 301, headers: { location: '/' } } })
 */
export function pages(replies: Record<string, Reply>): RequestListener {
  return (request, response) => {
    const reply = replies[request.url ?? ''] ?? { status: 404 };
    const { status = 200, headers = {}, body = '' } = typeof reply === 'string' ? { body: reply } : reply;
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(body);
  };
}

/** A redirect to an address. */
export function redirect(location: string, status = 302): Reply {
  return { status, headers: { location } };
}
