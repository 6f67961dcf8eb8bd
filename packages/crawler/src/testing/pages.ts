import type { RequestListener } from 'node:http';

/** A test site's response to a request. A string is served as an HTML page. */
export type Reply = string | { status?: number; headers?: Record<string, string | string[]>; body?: string | Buffer };

/**
 * Returns a request listener that responds with the page for the requested path. The listener returns 404 for unknown
 * paths, including robots.txt, so crawlers are allowed by default.
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

/** Returns a redirect response to a URL. */
export function redirect(location: string, status = 302): Reply {
  return { status, headers: { location } };
}
