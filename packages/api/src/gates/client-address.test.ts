import fc from 'fast-check';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { type Connection, clientOf } from './client-address.ts';

/** The client that a request from this socket, with this header, counts as. */
async function client(remoteAddress: string | undefined, forwarded: string | null, trustedProxies: number) {
  const app = new Hono<{ Bindings: Connection }>();
  app.get('/', c => c.text(clientOf(c, trustedProxies)));
  const headers: Record<string, string> = forwarded === null ? {} : { 'X-Forwarded-For': forwarded };
  return await (await app.request('/', { headers }, { incoming: { socket: { remoteAddress } } })).text();
}

describe('the client of a request', () => {
  it('is the other end of the socket, whatever it says of itself', async () => {
    expect(await client('203.0.113.7', null, 0)).toBe('203.0.113.7');
    expect(await client('203.0.113.7', '198.51.100.1', 0)).toBe('203.0.113.7');
    expect(await client('::ffff:203.0.113.7', null, 0)).toBe('203.0.113.7');
  });

  it('is what the outermost of our proxies saw', async () => {
    expect(await client('10.0.0.1', '198.51.100.1', 1)).toBe('198.51.100.1');
    expect(await client('10.0.0.1', 'spoofed, 198.51.100.1', 1)).toBe('198.51.100.1');
    expect(await client('10.0.0.1', '6.6.6.6, 198.51.100.1', 1)).toBe('198.51.100.1');
    expect(await client('10.0.0.1', '6.6.6.6, 198.51.100.1, 10.0.0.2', 2)).toBe('198.51.100.1');
    expect(await client('10.0.0.1', '198.51.100.1:51234', 1)).toBe('198.51.100.1');
    expect(await client('10.0.0.1', '[2001:db8::1]:443', 1)).toBe('2001:db8::/64');
  });

  it('is the proxy where the proxy wrote no address', async () => {
    expect(await client('10.0.0.1', null, 1)).toBe('10.0.0.1');
    expect(await client('10.0.0.1', 'unknown', 1)).toBe('10.0.0.1');
    expect(await client('10.0.0.1', '', 1)).toBe('10.0.0.1');
    expect(await client('10.0.0.1', '0x7f.1', 1)).toBe('10.0.0.1');
  });

  it('is one client for a whole /64 of IPv6', async () => {
    expect(await client('2001:db8:1:2:3:4:5:6', null, 0)).toBe('2001:db8:1:2::/64');
    expect(await client('2001:db8:1:2:ffff::1', null, 0)).toBe('2001:db8:1:2::/64');
    expect(await client('2001:db8:1:3::1', null, 0)).toBe('2001:db8:1:3::/64');
    expect(await client('fe80::1%eth0', null, 0)).toBe('fe80::/64');
    await fc.assert(
      fc.asyncProperty(fc.ipV6(), fc.ipV6(), async (one, other) => {
        const [a, b] = [await client(one, null, 0), await client(other, null, 0)];
        const network = (text: string) => new URL(`http://[${text}]`).hostname;
        if (network(one) === network(other)) expect(a).toBe(b);
        expect(a).not.toBe('unknown');
      }),
      { numRuns: 50 },
    );
  });

  it('is one and the same where the runtime does not tell', async () => {
    expect(await client(undefined, null, 0)).toBe('unknown');
    expect(await client(undefined, '198.51.100.1', 0)).toBe('unknown');
  });

  it('never depends on what stands left of our proxies', async () => {
    const junk = fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[ -+\--~]{0,20}$/));
    await fc.assert(
      fc.asyncProperty(fc.array(junk), async written => {
        const header = [...written, '198.51.100.1'].join(', ').trim();
        expect(await client('10.0.0.1', header, 1)).toBe('198.51.100.1');
      }),
    );
  });
});
