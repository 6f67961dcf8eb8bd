import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** Request that a client sent to the proxy: a CONNECT request for HTTPS, or a plain HTTP request. */
interface ProxiedRequest {
  method: string;
  target: string;
  headers: Record<string, unknown>;
}

/** Credentials that the proxy requires. */
export const PROXY_LOGIN = 'proxy-user:proxy-p%40ss';

/** Hostname that can be reached only through the proxy, which connects to this machine for any hostname. */
export const PROXIED_HOST = 'compliance.test';

/** Starts a forward proxy that records the requests of its clients. */
export async function startProxy() {
  const received: ProxiedRequest[] = [];
  const open = new Set<Socket>();
  const expected = `Basic ${Buffer.from(decodeURIComponent(PROXY_LOGIN)).toString('base64')}`;
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    received.push({ method, target: url, headers });
    if (headers['proxy-authorization'] !== expected) return void outgoing.writeHead(407).end();
    const { port, pathname, search } = new URL(url);
    const forwarded = request({ host: '127.0.0.1', port, path: pathname + search, method, headers }, response => {
      outgoing.writeHead(response.statusCode!, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  server.on('connection', socket => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => {});
  });
  server.on('connect', ({ method = '', url = '', headers }, socket: Socket) => {
    received.push({ method, target: url, headers });
    if (headers['proxy-authorization'] !== expected)
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
    const upstream = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    received,
    url: (login: string) => `http://${login}@127.0.0.1:${port}`,
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
