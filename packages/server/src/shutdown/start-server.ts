import { once } from 'node:events';
import { Server as HttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as TcpServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { serve } from '@hono/node-server';

/** A server that can stop without dropping requests. */
export interface RunningServer {
  readonly port: number;
  /** Makes each response the last one on its connection. The server still accepts connections. */
  refuseReuse(): void;
  /**
   * Stops accepting connections, closes idle connections, and waits until all requests in progress have received a
   * response. Drops the remaining requests after `timeoutMs`.
   *
   * @returns the number of dropped requests
   */
  close(timeoutMs: number): Promise<number>;
}

/** Handles a request. The second argument contains the Node.js request and response. */
type FetchHandler = Parameters<typeof serve>[0]['fetch'];

/**
 * Time between refusing new connections and closing idle connections, in milliseconds. Requests that clients have
 * already sent on accepted connections arrive within this time.
 */
const LAST_REQUESTS_MS = 100;

/**
 * Serves a fetch handler over HTTP.
 *
 * @param port 0 selects a free port
 * @throws NodeJS.ErrnoException with a code such as `EADDRINUSE` if the port or address can't be used
 * @example
 * const server = await startServer(api.fetch, { port: 8787, host: '127.0.0.1' });
 * await drainServers([server], { delayMs: 5_000, timeoutMs: 30_000 });
 */
export async function startServer(
  fetch: FetchHandler,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<RunningServer> {
  const server = serve({ fetch, port, hostname: host });
  if (!(server instanceof HttpServer)) throw new TypeError('The server must use HTTP/1.1.');
  const open = new Set<ServerResponse>();
  let isLast = false;
  server.prependListener('request', (_, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    if (isLast) response.shouldKeepAlive = false;
  });
  await once(server, 'listening');
  const refuseReuse = () => {
    isLast = true;
    for (const response of open) response.shouldKeepAlive = false;
  };

  return {
    port: (server.address() as AddressInfo).port,

    refuseReuse,

    async close(timeoutMs) {
      refuseReuse();
      const closed = once(server, 'close');
      // An HTTP server's own `close` method would close idle connections immediately and drop the requests that
      // clients have just sent on them.
      TcpServer.prototype.close.call(server);
      await pause(LAST_REQUESTS_MS);
      server.closeIdleConnections();
      let dropped = 0;
      const timer = setTimeout(() => {
        dropped = open.size;
        server.closeAllConnections();
      }, timeoutMs);
      await closed;
      clearTimeout(timer);
      return dropped;
    },
  };
}
