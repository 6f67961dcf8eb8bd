import fc from 'fast-check';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { type Connection, clientNetwork } from './client-network.ts';

/** Returns the client network for a request with the given socket address and `X-Forwarded-For` header. */
async function network(remoteAddress: string | undefined, forwarded: string | null, trustedProxies: number) {
  const app = new Hono<{ Bindings: Connection }>();
  app.get('/', c => c.text(clientNetwork(c, trustedProxies)));
  const headers: Record<string, string> = forwarded === null ? {} : { 'X-Forwarded-For': forwarded };
  return await (await app.request('/', { headers }, { incoming: { socket: { remoteAddress } } })).text();
}

describe('client network detection', () => {
  it('uses the socket peer’s address if no proxies are trusted, regardless of X-Forwarded-For', async () => {
    expect(await network('203.0.113.7', null, 0)).toBe('203.0.113.7');
    expect(await network('203.0.113.7', '198.51.100.1', 0)).toBe('203.0.113.7');
    expect(await network('::ffff:203.0.113.7', null, 0)).toBe('203.0.113.7');
  });

  it('uses the address appended by the outermost trusted proxy', async () => {
    expect(await network('10.0.0.1', '198.51.100.1', 1)).toBe('198.51.100.1');
    expect(await network('10.0.0.1', 'spoofed, 198.51.100.1', 1)).toBe('198.51.100.1');
    expect(await network('10.0.0.1', '6.6.6.6, 198.51.100.1', 1)).toBe('198.51.100.1');
    expect(await network('10.0.0.1', '6.6.6.6, 198.51.100.1, 10.0.0.2', 2)).toBe('198.51.100.1');
    expect(await network('10.0.0.1', '198.51.100.1:51234', 1)).toBe('198.51.100.1');
    expect(await network('10.0.0.1', '[2001:db8::1]:443', 1)).toBe('2001:db8::/64');
  });

  it('uses the proxy’s address if the proxy doesn’t append a valid address', async () => {
    expect(await network('10.0.0.1', null, 1)).toBe('10.0.0.1');
    expect(await network('10.0.0.1', 'unknown', 1)).toBe('10.0.0.1');
    expect(await network('10.0.0.1', '', 1)).toBe('10.0.0.1');
    expect(await network('10.0.0.1', '0x7f.1', 1)).toBe('10.0.0.1');
  });

  it('returns the same client network for all addresses in an IPv6 /64 network', async () => {
    expect(await network('2001:db8:1:2:3:4:5:6', null, 0)).toBe('2001:db8:1:2::/64');
    expect(await network('2001:db8:1:2:ffff::1', null, 0)).toBe('2001:db8:1:2::/64');
    expect(await network('2001:db8:1:3::1', null, 0)).toBe('2001:db8:1:3::/64');
    expect(await network('fe80::1%eth0', null, 0)).toBe('fe80::/64');
    await fc.assert(
      fc.asyncProperty(fc.ipV6(), fc.ipV6(), async (one, other) => {
        const [a, b] = [await network(one, null, 0), await network(other, null, 0)];
        const normalize = (text: string) => new URL(`http://[${text}]`).hostname;
        if (normalize(one) === normalize(other)) expect(a).toBe(b);
        expect(a).not.toBe('unknown');
      }),
      { numRuns: 50 },
    );
  });

  it('returns unknown if the runtime doesn’t provide an address', async () => {
    expect(await network(undefined, null, 0)).toBe('unknown');
    expect(await network(undefined, '198.51.100.1', 0)).toBe('unknown');
  });

  it('ignores every X-Forwarded-For entry that wasn’t appended by a trusted proxy', async () => {
    const junk = fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[ -+\--~]{0,20}$/));
    await fc.assert(
      fc.asyncProperty(fc.array(junk), async entries => {
        const header = [...entries, '198.51.100.1'].join(', ').trim();
        expect(await network('10.0.0.1', header, 1)).toBe('198.51.100.1');
      }),
    );
  });
});
