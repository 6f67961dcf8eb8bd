import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Options for {@link openTunnel}. */
export type TunnelOptions = {
  /** Maximum idle time before the tunnel closes, in milliseconds. */
  readonly idleMs: number;
  /** Called with the size of each chunk, in either direction. If the function returns false, the tunnel closes. */
  readonly allowBytes?: (bytes: number) => boolean;
};

/**
 * Accepts a `CONNECT` request and forwards data between the client and the target in both directions. If either side
 * closes, fails, or is idle for too long, the tunnel closes both.
 *
 * @example server.on('connect', async (request, client, head) => openTunnel(client, await dial(request), head, { idleMs: 60_000 }))
 */
export function openTunnel(
  client: Duplex,
  upstream: Socket,
  head: Buffer,
  { idleMs, allowBytes = () => true }: TunnelOptions,
): void {
  if (client.destroyed) {
    upstream.destroy();
    return;
  }
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  // Node's types declare the client as a Duplex, but a server's connections are sockets.
  for (const [from, to] of [
    [client as Socket, upstream],
    [upstream, client as Socket],
  ] as const) {
    from.setTimeout(idleMs, () => from.destroy());
    from.on('error', () => to.destroy()).on('close', () => to.destroy());
    from.on('data', ({ length }: Buffer) => {
      if (!allowBytes(length)) from.destroy();
    });
    from.pipe(to);
  }
  if (head.length > 0) upstream.write(head);
}

/**
 * Rejects a `CONNECT` request with an HTTP status, and closes the connection.
 *
 * @example refuseTunnel(client, '403 Forbidden')
 */
export function refuseTunnel(client: Duplex, status: string): void {
  client.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}
