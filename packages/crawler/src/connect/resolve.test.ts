import { createSocket, type Socket } from 'node:dgram';
import { type Answer, decode, encode } from 'dns-packet';
import { afterEach, describe, expect, it } from 'vitest';
import { createResolver } from './resolve.ts';

/** Starts a DNS server on loopback. The server doesn't respond to a query if `answer` returns null. */
async function nameServer(answer: (name: string, type: string) => Answer[] | null): Promise<string> {
  server = createSocket('udp4');
  server.on('message', (message, peer) => {
    const query = decode(message);
    const question = query.questions?.[0];
    const answers = question && answer(question.name, question.type);
    if (!answers) return;
    const reply = encode({ type: 'response', id: query.id ?? 0, questions: query.questions ?? [], answers });
    server?.send(reply, peer.port, peer.address);
  });
  await new Promise<void>(ready => server?.bind(0, '127.0.0.1', ready));
  return `127.0.0.1:${server.address().port}`;
}

let server: Socket | undefined;
afterEach(() => server?.close());

const soon = () => AbortSignal.timeout(5_000);

describe('production resolver', () => {
  it('follows CNAME aliases and returns all IPv4 and IPv6 addresses', async () => {
    const resolve = createResolver([
      await nameServer((name, type) =>
        type === 'A'
          ? [
              { name, type: 'CNAME', ttl: 0, data: 'shops.example' },
              { name: 'shops.example', type: 'A', ttl: 0, data: '93.184.216.34' },
              { name: 'shops.example', type: 'A', ttl: 0, data: '10.0.0.1' },
            ]
          : [{ name, type: 'AAAA', ttl: 0, data: 'fd00::1' }],
      ),
    ]);
    expect(await resolve('shop.example', soon())).toEqual(['93.184.216.34', '10.0.0.1', 'fd00::1']);
  });

  it('returns the records of one type if the other type has none, and an empty list for an unknown name', async () => {
    const resolve = createResolver([
      await nameServer((name, type) =>
        name === 'v4.example' && type === 'A' ? [{ name, type: 'A', ttl: 0, data: '93.184.216.34' }] : [],
      ),
    ]);
    expect(await resolve('v4.example', soon())).toEqual(['93.184.216.34']);
    expect(await resolve('nowhere.example', soon())).toEqual([]);
  });

  it('returns the A records if the server never responds to AAAA queries', async () => {
    const resolve = createResolver([
      await nameServer((name, type) => (type === 'A' ? [{ name, type: 'A', ttl: 0, data: '93.184.216.34' }] : null)),
    ]);
    expect(await resolve('half.example', AbortSignal.timeout(60_000))).toEqual(['93.184.216.34']);
  }, 5_000);

  it('stops waiting for an unresponsive DNS server when the signal aborts', async () => {
    const resolve = createResolver([await nameServer(() => null)]);
    await expect(resolve('slow.example', AbortSignal.timeout(50))).rejects.toThrow('ECANCELLED');
  });

  it('never reads the hosts file', async () => {
    const resolve = createResolver([await nameServer(() => [])]);
    expect(await resolve('localhost', soon())).toEqual([]);
  });
});
