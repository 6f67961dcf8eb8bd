import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type CrawlLimits, defaultCrawlLimits } from '../limits.ts';
import { createTargetRate, type TargetRate } from '../rate/target-rate.ts';
import { createNetwork } from '../testing/network.ts';
import { unlimitedRate } from '../testing/unlimited-rate.ts';
import { createForwardProxy, type ProxyConnection } from './forward-proxy.ts';

const network = createNetwork();
const received: Record<string, unknown>[] = [];
await network.site('shop.example', (incoming, response) => {
  received.push({ method: incoming.method, url: incoming.url, ...incoming.headers });
  response.writeHead(200, { 'content-type': 'text/plain', 'proxy-authenticate': 'Basic' });
  response.end(incoming.url === '/large' ? 'x'.repeat(100_000) : 'page');
});
network.names.set('inside.example', ['10.0.0.1']);
network.names.set('mixed.example', ['93.184.216.34', '169.254.169.254']);

beforeEach(() => {
  network.dialed.length = 0;
  received.length = 0;
});
afterAll(() => network.close());

async function openProxy(limits: Partial<CrawlLimits> = {}, targetRate: TargetRate = unlimitedRate) {
  const connections: ProxyConnection[] = [];
  const proxy = createForwardProxy(network.transport, {
    limits: { ...defaultCrawlLimits, refusalMs: 0, ...limits },
    targetRate,
    onConnection: connection => connections.push(connection),
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const { port } = proxy.address() as AddressInfo;
  return {
    connections,
    async tunnel(path: string): Promise<number> {
      const sent = request({ host: '127.0.0.1', port, method: 'CONNECT', path, agent: false }).end();
      const [{ statusCode }, socket] = await once(sent, 'connect');
      socket.destroy();
      return statusCode;
    },
    async get(url: string, headers: Record<string, string> = {}): Promise<[number, string]> {
      const sent = request({ host: '127.0.0.1', port, path: url, headers, agent: false }).end();
      const [response] = await once(sent, 'response');
      return [response.statusCode, await text(response).catch(() => 'cut')];
    },
  };
}

describe('the forward proxy', () => {
  it('connects to public hosts on ports 80 and 443, and refuses everything else without revealing why', async () => {
    const { tunnel, connections } = await openProxy();
    expect(await tunnel('shop.example:80')).toBe(200);
    expect(network.dialed).toEqual(['93.184.216.34:80']);
    const refused = [
      ...['shop.example:22', 'shop.example:8080', '127.0.0.1:80', '[::1]:443', '169.254.169.254:80', '0x7f.1:80'],
      ...['inside.example:443', 'mixed.example:443', 'missing.example:443', 'localhost:80', 'user@shop.example:80', ''],
    ];
    for (const target of refused) expect([target, await tunnel(target)]).toEqual([target, 403]);
    expect(network.dialed).toHaveLength(1);
    expect(connections).toHaveLength(refused.length + 1);
    expect(connections).toContainEqual({ host: 'inside.example', port: 443, refused: 'unreachable' });
  });

  it('forwards plain HTTP requests to public hosts, and removes headers that are meant for the proxy', async () => {
    const { get } = await openProxy();
    expect(await get('http://shop.example/a?b=1', { 'proxy-authorization': 'x', cookie: 'a=1' })).toEqual([
      200,
      'page',
    ]);
    expect(received).toEqual([
      { method: 'GET', url: '/a?b=1', host: 'shop.example', cookie: 'a=1', connection: 'close' },
    ]);
    for (const url of [
      'http://inside.example/',
      'http://127.0.0.1/',
      'https://shop.example/',
      '/',
      'file:///etc/passwd',
    ])
      expect(await get(url)).toEqual([403, '']);
    expect(network.dialed).toHaveLength(1);
  });

  it('limits connections, bytes, and the connection rate per target', async () => {
    const few = await openProxy({ requests: 2 });
    expect([await few.tunnel('shop.example:80'), await few.tunnel('shop.example:80')]).toEqual([200, 200]);
    expect(await few.tunnel('shop.example:80')).toBe(403);
    const small = await openProxy({ totalBytes: 50_000 });
    expect((await small.get('http://shop.example/large'))[1]).not.toHaveLength(100_000);
    const slow = await openProxy({ requestsPerTargetMinute: 1 }, createTargetRate(Date.now));
    expect([await slow.tunnel('shop.example:443'), await slow.tunnel('shop.example:443')]).toEqual([403, 403]);
    expect(slow.connections.map(({ refused }) => refused)).toEqual(['unreachable', 'target_busy']);
  });
});
