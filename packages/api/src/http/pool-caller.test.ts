import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ScanFailed, type ScanRequest } from '@compliance/crawler';
import type { PoolCaller } from '@compliance/crawler/pool';
import { serve } from '@hono/node-server';
import { afterEach, describe, expect, it } from 'vitest';
import pixelScan from '../operations/pixel-scan.ts';
import { requestPath, startService } from '../testing/service.ts';
import v0Scan from '../v0/operations/scan.ts';

let service: Awaited<ReturnType<typeof startService>>;
let callers: (ScanRequest['caller'] | PoolCaller)[] = [];
afterEach(() => service.stop());

async function start(): Promise<void> {
  callers = [];
  service = await startService({
    trustedProxies: 1,
    scanner: async (_, { caller }) => {
      callers.push(caller);
      throw new ScanFailed('unreachable');
    },
  });
}

describe('poolCallerOf', () => {
  it('puts requests with a key in the keyed lane, with the key family as the tenant', async () => {
    await start();
    const key = await service.issue();
    const { family } = (await service.store.keys.authenticate(key))!;
    await service.post(pixelScan.path, { url: 'http://shop.example/' }, { Authorization: `Bearer ${key}` });
    expect(callers).toEqual([{ lane: 'keyed', tenant: family, signal: expect.any(AbortSignal) }]);
  });

  it('puts v0 requests and home page checks in the keyless lane, with the client network as the tenant', async () => {
    await start();
    const headers = { 'X-Forwarded-For': '2001:db8:1:2::9' };
    const url = 'http://shop.example/';
    await service.get(requestPath(v0Scan, { url }), { headers });
    await service.get(`/?${new URLSearchParams({ url })}`, { headers: { ...headers, Accept: 'text/html' } });
    const visitor = { lane: 'keyless', tenant: '2001:db8:1:2::/64', signal: expect.any(AbortSignal) };
    expect(callers).toEqual([visitor, visitor]);
  });

  it('aborts a scan when the client disconnects', async () => {
    let hasStarted = () => {};
    const started = new Promise<void>(resolve => {
      hasStarted = resolve;
    });
    let hasAborted = (_: boolean) => {};
    const aborted = new Promise<boolean>(resolve => {
      hasAborted = resolve;
    });
    service = await startService({
      scanner: async (_, { caller }) => {
        hasStarted();
        await once(caller!.signal!, 'abort');
        hasAborted(true);
        throw new ScanFailed('over_limit');
      },
    });
    const server = serve({ fetch: service.api.fetch, port: 0, hostname: '127.0.0.1' });
    await once(server, 'listening');
    const client = new AbortController();
    const path = requestPath(v0Scan, { url: 'http://shop.example/' });
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const request = fetch(`${base}${path}`, { signal: client.signal }).catch(error => error.name);
    await started;
    client.abort();
    expect([await aborted, await request]).toEqual([true, 'AbortError']);
    server.close();
  });
});
