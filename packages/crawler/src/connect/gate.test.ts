import { createServer } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isPublicAddress } from '../address/judge.ts';
import { defaultLimits, type Limits } from '../limits.ts';
import { certificateFor } from '../testing/certificate.ts';
import { createNetwork, type Network, publicAddress } from '../testing/network.ts';
import { pages } from '../testing/pages.ts';
import { createGate } from './gate.ts';

let network: Network;

beforeEach(() => {
  network = createNetwork();
});
afterEach(() => network.close());

/** Admits a URL and requests it; the status is the proof. */
async function visit(address: string, changed: Partial<Limits> = {}): Promise<number> {
  const limits = { ...defaultLimits, refusalMs: 0, ...changed };
  const gate = createGate(network.doors, limits, AbortSignal.timeout(20_000));
  const url = new URL(address);
  try {
    await gate.admit(url);
    const { statusCode } = await gate.agent.request({ origin: url.origin, path: '/', method: 'GET' });
    return statusCode;
  } finally {
    await gate.agent.destroy();
  }
}

describe('a name', () => {
  it('is connected to at the address that was judged, and asked for once, though it changes its answer at once', async () => {
    await network.site('rebind.example', pages({ '/': 'public' }));
    network.names.set('rebind.example', asked => (asked === 1 ? [publicAddress] : ['127.0.0.1']));
    expect(await visit('http://rebind.example/')).toBe(200);
    expect(network.dialled).toEqual([`${publicAddress}:80`]);
    expect(network.resolved.get('rebind.example')).toBe(1);
  });

  it.each([
    ['one private answer among public ones', [publicAddress, '10.0.0.1']],
    ['a public IPv4 and a private IPv6 answer', [publicAddress, 'fd00::1']],
    ['a mapped address', ['::ffff:169.254.169.254']],
    ['something that is no address', ['shop.example']],
  ])('is refused with %s, and nothing is contacted', async (_, answers) => {
    network.names.set('mixed.example', answers);
    await expect(visit('http://mixed.example/')).rejects.toMatchObject({ reason: 'refused_address' });
    expect(network.dialled).toEqual([]);
  });

  it('is contacted exactly when it has answers and all of them are public, and at one of them', async () => {
    const address = fc.constantFrom(publicAddress, '1.1.1.1', '2606:4700::1', '10.0.0.1', '::1', '::ffff:1.1.1.1');
    let answers: string[] = [];
    network.names.set('any.example', () => answers);
    await fc.assert(
      fc.asyncProperty(fc.array(address, { maxLength: 6 }), async answered => {
        answers = answered;
        network.dialled.length = 0;
        const { reason } = await visit('http://any.example/').catch(error => error);
        const inside = answered.some(one => !isPublicAddress(one));
        const nobodyThere = network.dialled.length === 1 && answered.some(one => network.dialled[0] === `${one}:80`);
        expect(reason).toBe(inside ? 'refused_address' : 'unreachable');
        expect(nobodyThere).toBe(!inside && answered.length > 0);
      }),
    );
  });

  it('without an address, or whose server fails, is unreachable', async () => {
    network.names.set('broken.example', () => Promise.reject(new Error('SERVFAIL')));
    await expect(visit('http://nowhere.example/')).rejects.toMatchObject({ reason: 'unreachable' });
    await expect(visit('http://broken.example/')).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('whose server never answers is given up after its own limit', async () => {
    network.names.set('slow.example', () => new Promise(() => {}));
    await expect(visit('http://slow.example/', { dnsMs: 50 })).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('that was not admitted cannot be requested', async () => {
    await network.site('shop.example', pages({ '/': 'public' }));
    const gate = createGate(network.doors, defaultLimits, AbortSignal.timeout(20_000));
    const request = gate.agent.request({ origin: 'http://shop.example', path: '/', method: 'GET' });
    await expect(request).rejects.toMatchObject({ reason: 'refused_address' });
    expect(network.dialled).toEqual([]);
    await gate.agent.destroy();
  });

  it('that is private by its form is not even resolved', async () => {
    network.names.set('metadata.google.internal', [publicAddress]);
    await expect(visit('http://metadata.google.internal/')).rejects.toMatchObject({ reason: 'refused_address' });
    expect(network.resolved.size).toBe(0);
  });
});

describe('a literal address', () => {
  it.each([
    '127.0.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '[::1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '0.0.0.0',
  ])('%s is judged without a resolver and refused', async host => {
    await expect(visit(`http://${host}/`)).rejects.toMatchObject({ reason: 'refused_address' });
    expect(network.resolved.size + network.dialled.length).toBe(0);
  });

  it('that is public is contacted, IPv6 as well', async () => {
    await network.site('unused.example', pages({ '/': 'v4' }));
    await network.site('unused6.example', pages({ '/': 'v6' }), '2606:4700::1');
    expect(await visit(`http://${publicAddress}/`)).toBe(200);
    expect(await visit('http://[2606:4700::1]/')).toBe(200);
  });
});

describe('the time of a refusal tells nothing', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const after = <T>(ms: number, value: T) => new Promise<T>(resolve => setTimeout(() => resolve(value), ms));

  it.each([
    ['a private literal', 'http://10.0.0.1/'],
    ['a private name', 'http://db.internal/'],
    ['a name that leads inside, known at once', 'http://inside.example/'],
    ['a name that leads inside, known late', 'http://late.example/'],
    ['a name that does not exist', 'http://nowhere.example/'],
  ])('%s takes as long as every other', async (_, address) => {
    network.names.set('inside.example', ['10.0.0.1']);
    network.names.set('late.example', () => after(1_500, ['10.0.0.1']));
    const gate = createGate(network.doors, defaultLimits, new AbortController().signal);
    let settled = false;
    const admitted = gate.admit(new URL(address)).finally(() => {
      settled = true;
    });
    const refused = expect(admitted).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(defaultLimits.refusalMs - 1);
    expect(settled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    await gate.agent.destroy();
  });

  it('and a public name does not wait', async () => {
    network.names.set('shop.example', [publicAddress]);
    const gate = createGate(network.doors, defaultLimits, new AbortController().signal);
    await gate.admit(new URL('http://shop.example/'));
    await gate.agent.destroy();
  });
});

describe('a connection', () => {
  it('that nobody accepts is unreachable', async () => {
    network.names.set('closed.example', [publicAddress]);
    await expect(visit('http://closed.example/')).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('that stays half open is given up after its own limit', async () => {
    network.names.set('silent.example', [publicAddress]);
    network.doors.dial = () => new Promise(() => {});
    await expect(visit('http://silent.example/', { connectMs: 50 })).rejects.toMatchObject({ reason: 'timed_out' });
  });

  it('that stalls in the TLS handshake is given up after its own limit', async () => {
    network.names.set('stalled.example', [publicAddress]);
    await network.listen(publicAddress, 443, createServer());
    await expect(visit('https://stalled.example/', { tlsMs: 50 })).rejects.toMatchObject({ reason: 'timed_out' });
  });

  it('over TLS is made to the pinned address and checked against the name', async () => {
    const certificate = await certificateFor('shop.example', { trusted: true });
    await network.secureSite('shop.example', certificate, pages({ '/': 'secure' }));
    network.names.set('other.example', [publicAddress]);
    expect(await visit('https://shop.example/')).toBe(200);
    await expect(visit('https://other.example/')).rejects.toMatchObject({ reason: 'tls' });
    await expect(visit(`https://${publicAddress}/`)).rejects.toMatchObject({ reason: 'tls' });
  });

  it('over TLS with a certificate that nobody vouches for is refused', async () => {
    const certificate = await certificateFor('self.example', { trusted: false });
    await network.secureSite('self.example', certificate, pages({ '/': 'secure' }));
    await expect(visit('https://self.example/')).rejects.toMatchObject({ reason: 'tls' });
  });

  it('to a port 443 that speaks no TLS fails as tls', async () => {
    network.names.set('plain.example', [publicAddress]);
    await network.listen(
      publicAddress,
      443,
      createServer(socket => socket.end('HTTP/1.1 200 OK\r\n\r\n')),
    );
    await expect(visit('https://plain.example/')).rejects.toMatchObject({ reason: 'tls' });
  });
});
