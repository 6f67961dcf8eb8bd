import { createServer } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isPublicAddress } from '../address/public-address.ts';
import { type CrawlLimits, defaultCrawlLimits } from '../limits.ts';
import { certificateFor } from '../testing/certificate.ts';
import { createNetwork, type Network, publicAddress } from '../testing/network.ts';
import { pages } from '../testing/pages.ts';
import { createSsrfGuard, type LookupFailure } from './ssrf-guard.ts';

let network: Network;

beforeEach(() => {
  network = createNetwork();
});
afterEach(() => network.close());

/**
 * Requests a URL after the guard admits its host. Returns the response status, which shows that the request reached the
 * server.
 */
async function visit(
  address: string,
  changed: Partial<CrawlLimits> = {},
  onLookupFailure?: (failure: LookupFailure) => void,
): Promise<number> {
  const limits = { ...defaultCrawlLimits, refusalMs: 0, ...changed };
  const guard = createSsrfGuard(network.transport, limits, AbortSignal.timeout(20_000), onLookupFailure);
  const url = new URL(address);
  try {
    await guard.admit(url);
    const { statusCode } = await guard.agent.request({ origin: url.origin, path: '/', method: 'GET' });
    return statusCode;
  } finally {
    await guard.agent.destroy();
  }
}

describe('hostname checks', () => {
  it('resolves a hostname once and connects to the checked address, even if the DNS records change immediately afterward', async () => {
    await network.site('rebind.example', pages({ '/': 'public' }));
    network.names.set('rebind.example', asked => (asked === 1 ? [publicAddress] : ['127.0.0.1']));
    expect(await visit('http://rebind.example/')).toBe(200);
    expect(network.dialed).toEqual([`${publicAddress}:80`]);
    expect(network.resolved.get('rebind.example')).toBe(1);
  });

  it.each([
    ['one private address among public ones', [publicAddress, '10.0.0.1']],
    ['a public IPv4 and a private IPv6 address', [publicAddress, 'fd00::1']],
    ['a mapped address', ['::ffff:169.254.169.254']],
    ["something that isn't an address", ['shop.example']],
  ])('rejects a hostname that resolves to %s and never connects to it', async (_, answers) => {
    network.names.set('mixed.example', answers);
    await expect(visit('http://mixed.example/')).rejects.toMatchObject({ reason: 'unreachable' });
    expect(network.dialed).toEqual([]);
  });

  it('connects to a host only if all of its addresses are public, and then only to one of those addresses', async () => {
    const address = fc.constantFrom(publicAddress, '1.1.1.1', '2606:4700::1', '10.0.0.1', '::1', '::ffff:1.1.1.1');
    let answers: string[] = [];
    network.names.set('any.example', () => answers);
    await fc.assert(
      fc.asyncProperty(fc.array(address, { maxLength: 6 }), async answered => {
        answers = answered;
        network.dialed.length = 0;
        const { reason } = await visit('http://any.example/').catch(error => error);
        const inside = answered.some(one => !isPublicAddress(one));
        const nobodyThere = network.dialed.length === 1 && answered.some(one => network.dialed[0] === `${one}:80`);
        expect(reason).toBe('unreachable');
        expect(nobodyThere).toBe(!inside && answered.length > 0);
      }),
    );
  });

  it('reports a hostname as unreachable if it doesn’t have an address or its DNS server fails', async () => {
    network.names.set('broken.example', () => Promise.reject(new Error('SERVFAIL')));
    await expect(visit('http://nowhere.example/')).rejects.toMatchObject({ reason: 'unreachable' });
    await expect(visit('http://broken.example/')).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('returns the same error for a hostname with a private address as for a nonexistent hostname, and reports the cause to the operator', async () => {
    network.names.set('inside.example', ['10.0.0.1']);
    const failures: LookupFailure[] = [];
    const visitor = (address: string) => visit(address, {}, failure => failures.push(failure)).catch(error => error);
    const [inside, missing] = [await visitor('http://inside.example/'), await visitor('http://missing.example/')];
    expect(JSON.stringify(inside)).toBe(JSON.stringify(missing));
    expect([inside.message, inside.stack, inside.cause]).toEqual([missing.message, missing.stack, missing.cause]);
    expect(failures).toEqual([
      { hostname: 'inside.example', cause: 'private_address' },
      { hostname: 'missing.example', cause: 'no_address' },
    ]);
  });

  it('reports a hostname as unreachable if its DNS server doesn’t respond within the time limit', async () => {
    network.names.set('slow.example', () => new Promise(() => {}));
    await expect(visit('http://slow.example/', { dnsMs: 50 })).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('never sends a request to a hostname that hasn’t been admitted', async () => {
    await network.site('shop.example', pages({ '/': 'public' }));
    const guard = createSsrfGuard(network.transport, defaultCrawlLimits, AbortSignal.timeout(20_000));
    const request = guard.agent.request({ origin: 'http://shop.example', path: '/', method: 'GET' });
    await expect(request).rejects.toMatchObject({ reason: 'refused_address' });
    expect(network.dialed).toEqual([]);
    await guard.agent.destroy();
  });

  it('never resolves a hostname that can’t be public', async () => {
    network.names.set('metadata.google.internal', [publicAddress]);
    await expect(visit('http://metadata.google.internal/')).rejects.toMatchObject({ reason: 'refused_address' });
    expect(network.resolved.size).toBe(0);
  });
});

describe('IP address checks', () => {
  it.each([
    '127.0.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '[::1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '0.0.0.0',
  ])('rejects the IP address %s without calling the resolver', async host => {
    await expect(visit(`http://${host}/`)).rejects.toMatchObject({ reason: 'refused_address' });
    expect(network.resolved.size + network.dialed.length).toBe(0);
  });

  it('connects to a public IP address, including an IPv6 address', async () => {
    await network.site('unused.example', pages({ '/': 'v4' }));
    await network.site('unused6.example', pages({ '/': 'v6' }), '2606:4700::1');
    expect(await visit(`http://${publicAddress}/`)).toBe(200);
    expect(await visit('http://[2606:4700::1]/')).toBe(200);
  });
});

describe('host admission time', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const after = <T>(ms: number, value: T) => new Promise<T>(resolve => setTimeout(() => resolve(value), ms));

  it.each([
    ['a private IP address', 'http://10.0.0.1/'],
    ['a private hostname', 'http://db.internal/'],
    ['a hostname that resolves immediately to a private address', 'http://inside.example/'],
    ['a hostname that resolves slowly to a private address', 'http://late.example/'],
    ['a nonexistent hostname', 'http://nowhere.example/'],
  ])('takes the same time to reject %s as to reject any other host', async (_, address) => {
    network.names.set('inside.example', ['10.0.0.1']);
    network.names.set('late.example', () => after(1_500, ['10.0.0.1']));
    const guard = createSsrfGuard(network.transport, defaultCrawlLimits, new AbortController().signal);
    let settled = false;
    const admitted = guard.admit(new URL(address)).finally(() => {
      settled = true;
    });
    const refused = expect(admitted).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(defaultCrawlLimits.refusalMs - 1);
    expect(settled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    await guard.agent.destroy();
  });

  it('never delays the admission of a public hostname', async () => {
    network.names.set('shop.example', [publicAddress]);
    const guard = createSsrfGuard(network.transport, defaultCrawlLimits, new AbortController().signal);
    await guard.admit(new URL('http://shop.example/'));
    await guard.agent.destroy();
  });
});

describe('guarded connections', () => {
  it('fails with `unreachable` if the server refuses the connection', async () => {
    network.names.set('closed.example', [publicAddress]);
    await expect(visit('http://closed.example/')).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('fails with `timed_out` if the server never accepts the connection', async () => {
    network.names.set('silent.example', [publicAddress]);
    network.transport.dial = () => new Promise(() => {});
    await expect(visit('http://silent.example/', { connectMs: 50 })).rejects.toMatchObject({ reason: 'timed_out' });
  });

  it('fails with `timed_out` if the TLS handshake stalls', async () => {
    network.names.set('stalled.example', [publicAddress]);
    await network.listen(publicAddress, 443, createServer());
    await expect(visit('https://stalled.example/', { tlsMs: 50 })).rejects.toMatchObject({ reason: 'timed_out' });
  });

  it('connects to the pinned address over TLS and verifies the certificate against the hostname', async () => {
    const certificate = await certificateFor('shop.example', { trusted: true });
    await network.secureSite('shop.example', certificate, pages({ '/': 'secure' }));
    network.names.set('other.example', [publicAddress]);
    expect(await visit('https://shop.example/')).toBe(200);
    await expect(visit('https://other.example/')).rejects.toMatchObject({ reason: 'tls' });
    await expect(visit(`https://${publicAddress}/`)).rejects.toMatchObject({ reason: 'tls' });
  });

  it('rejects a TLS connection if the certificate isn’t trusted', async () => {
    const certificate = await certificateFor('self.example', { trusted: false });
    await network.secureSite('self.example', certificate, pages({ '/': 'secure' }));
    await expect(visit('https://self.example/')).rejects.toMatchObject({ reason: 'tls' });
  });

  it('fails with `tls` if the server on port 443 doesn’t use TLS', async () => {
    network.names.set('plain.example', [publicAddress]);
    await network.listen(
      publicAddress,
      443,
      createServer(socket => socket.end('HTTP/1.1 200 OK\r\n\r\n')),
    );
    await expect(visit('https://plain.example/')).rejects.toMatchObject({ reason: 'tls' });
  });
});
