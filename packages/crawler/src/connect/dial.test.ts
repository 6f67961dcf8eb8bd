import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dial } from './dial.ts';

describe('the dialer of production', () => {
  const server: Server = createServer(socket => socket.on('error', () => {}));
  let port = 0;

  beforeAll(async () => {
    await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.close();
  });

  it('connects to an address that it was given', async () => {
    const socket = await dial(['127.0.0.1'], port, AbortSignal.timeout(5_000));
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });

  it('tries the next address when one does not answer', async () => {
    const socket = await dial(['127.0.0.9', '127.0.0.1'], port, AbortSignal.timeout(5_000));
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });

  it('drops a connection that ends at another address than those given', async () => {
    // The kernel takes 0.0.0.0 for this host: asked for one address, connected to another.
    await expect(dial(['0.0.0.0'], port, AbortSignal.timeout(5_000))).rejects.toThrow('not asked for');
  });

  it('stops when it is told to', async () => {
    await expect(dial(['127.0.0.1'], port, AbortSignal.abort())).rejects.toThrow('aborted');
  });

  it('fails when nobody listens', async () => {
    await expect(dial(['127.0.0.1'], 1, AbortSignal.timeout(5_000))).rejects.toThrow();
  });
});
