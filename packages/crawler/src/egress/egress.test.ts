import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createCrawler } from '../crawler.ts';
import { createPool } from '../pool/pool.ts';
import { certificateFor } from '../testing/certificate.ts';
import { createNetwork } from '../testing/network.ts';
import { pages } from '../testing/pages.ts';
import { unlimitedRate } from '../testing/unlimited-rate.ts';
import { createEgressProxy } from './egress-proxy.ts';
import { createEgressTransport } from './egress-transport.ts';

const network = createNetwork();
const proxy = createEgressProxy(network.transport);
await once(proxy.listen(0, '127.0.0.1'), 'listening');
const { port } = proxy.address() as AddressInfo;
const transport = createEgressTransport(new URL(`http://127.0.0.1:${port}`));
const pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 256, queue: 100 });
const storefront = pages({ '/': '<title>Shop</title>' });
await network.site('shop.example', storefront);
await network.secureSite('shop.example', await certificateFor('shop.example', { trusted: true }), storefront);
beforeEach(() => {
  network.dialed.length = 0;
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await Promise.all([network.close(), pool.close()]);
});

const options = { contact: 'https://scanner.example/', pool, limits: { refusalMs: 0 }, targetRate: unlimitedRate };
const capture = (url: string, egress = transport) => createCrawler(egress)(url, options);
const signal = () => AbortSignal.timeout(5_000);

/** Sends a CONNECT request and returns the response status. */
async function tunnel(path: string, headers: Record<string, string> = {}): Promise<number> {
  const sent = request({ host: '127.0.0.1', port, method: 'CONNECT', path, headers, agent: false }).end();
  const [{ statusCode }, socket] = await once(sent, 'connect');
  socket.destroy();
  return statusCode;
}

describe('a crawler behind the egress proxy', () => {
  it.each(['https', 'http'])('fetches a page over %s', async scheme => {
    const { html } = await capture(`${scheme}://shop.example/`);
    expect(html).toContain('<title>Shop</title>');
    const expected = scheme === 'https' ? '93.184.216.34:443' : '93.184.216.34:80';
    expect(new Set(network.dialed)).toEqual(new Set([expected]));
  });

  it('rejects hosts with a private address, as a crawler without a proxy does', async () => {
    network.names.set('inside.example', ['10.0.0.1']);
    network.names.set('mixed.example', ['93.184.216.34', '169.254.169.254']);
    for (const [url, reason] of [
      ['https://inside.example/', 'unreachable'],
      ['https://mixed.example/', 'unreachable'],
      ['https://missing.example/', 'unreachable'],
      ['https://127.0.0.1/', 'refused_address'],
    ]) {
      await expect(capture(url!)).rejects.toMatchObject({ reason });
    }
    expect(network.dialed).toEqual([]);
  });

  it('distinguishes a name that doesn’t exist from a failed lookup', async () => {
    network.names.set('servfail.example', () => Promise.reject(new Error('queryA ESERVFAIL')));
    expect(await transport.resolve('missing.example', signal())).toEqual([]);
    await expect(transport.resolve('servfail.example', signal())).rejects.toThrow('502');
    await expect(capture('https://servfail.example/')).rejects.toMatchObject({ reason: 'unreachable' });
    expect(await tunnel('servfail.example:443')).toBe(502);
  });

  it("reports a service error instead of a site error if the proxy doesn't respond", async () => {
    const gone = createEgressTransport(new URL('http://127.0.0.1:1'));
    for (const url of ['https://shop.example/', 'https://93.184.216.34/'])
      await expect(capture(url, gone)).rejects.toMatchObject({ reason: 'no_egress' });
    await expect(transport.dial(['93.184.216.34'], 443, AbortSignal.abort())).rejects.toThrow('aborted');
  });
});

describe('the egress proxy', () => {
  it('connects to public addresses and hostnames, but only on ports 80 and 443', async () => {
    expect(await tunnel('93.184.216.34:443')).toBe(200);
    expect(await tunnel('shop.example:443')).toBe(200);
    expect(network.dialed).toEqual(['93.184.216.34:443', '93.184.216.34:443']);
    for (const other of [22, 25, 5432, 8080, 65_536]) expect(await tunnel(`shop.example:${other}`)).toBe(403);
    expect(network.dialed).toHaveLength(2);
  });

  it('never connects to a private address, regardless of its notation', async () => {
    network.names.set('inside.example', ['10.0.0.1']);
    network.names.set('mixed.example', ['93.184.216.34', '::1']);
    const refused = [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[fd00::1]',
      '[64:ff9b::a00:1]',
    ];
    for (const host of [...refused, 'inside.example', 'mixed.example'])
      expect([host, await tunnel(`${host}:443`)]).toEqual([host, 403]);
    for (const host of ['localhost', 'pdfs', 'metadata.google.internal', '0x7f.1', '2130706433', '', '[::1'])
      expect([host, [400, 403, 502].includes(await tunnel(`${host}:443`))]).toEqual([host, true]);
    expect(await tunnel('93.184.216.34:443', { 'egress-alternatives': '127.0.0.1' })).toBe(403);
    expect(await tunnel('93.184.216.34:443', { 'egress-alternatives': 'shop.example' })).toBe(400);
    expect(await tunnel('93.184.216.34:443', { 'egress-alternatives': '1.1.1.1,'.repeat(20) })).toBe(400);
    expect(network.dialed).toEqual([]);
  });

  it('resolves only public names, and rejects unknown paths and methods', async () => {
    const get = async (path: string, init?: RequestInit) => await fetch(`http://127.0.0.1:${port}${path}`, init);
    expect(await (await get('/resolve/shop.example')).json()).toEqual(['93.184.216.34']);
    expect(await (await get('/resolve/missing.example')).json()).toEqual([]);
    for (const name of ['localhost', 'pdfs', 'a.internal', `${'a'.repeat(300)}.example`, '%00.example', ''])
      expect((await get(`/resolve/${name}`)).status).toBe(404);
    expect((await get('/healthz')).status).toBe(204);
    expect((await get('/')).status).toBe(404);
    expect((await get('/healthz', { method: 'POST' })).status).toBe(405);
    const asked = [...network.resolved.keys()];
    expect(asked.filter(name => ['localhost', 'pdfs', 'a.internal'].includes(name))).toEqual([]);
  });

  it('returns 502 if the host refuses the connection', async () => {
    expect(await tunnel('93.184.216.99:443')).toBe(502);
  });

  it('closes both connections when one of them ends', async () => {
    const accepted: { destroyed: boolean }[] = [];
    const echo = createServer(socket => {
      accepted.push(socket);
      socket.on('error', () => {}).pipe(socket);
    });
    await network.listen('93.184.216.50', 443, echo);
    const client = connect(port, '127.0.0.1');
    client.write('CONNECT 93.184.216.50:443 HTTP/1.1\r\nHost: 93.184.216.50\r\n\r\nearly');
    let text = '';
    for await (const chunk of client) {
      text += chunk;
      if (text.endsWith('early')) break;
    }
    expect(text).toBe('HTTP/1.1 200 Connection Established\r\n\r\nearly');
    await expect.poll(() => accepted.map(socket => socket.destroyed)).toEqual([true]);

    const socket = await transport.dial(['93.184.216.50'], 443, signal());
    (accepted[1] as unknown as { destroy(): void }).destroy();
    await once(socket, 'close');
  });
});
