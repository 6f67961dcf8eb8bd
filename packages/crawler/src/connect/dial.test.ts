import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dial } from './dial.ts';

describe('production dialer', () => {
  const server: Server = createServer(socket => socket.on('error', () => {}));
  let port = 0;

  beforeAll(async () => {
    await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.close();
  });

  it('connects to the given address', async () => {
    const socket = await dial(['127.0.0.1'], port, AbortSignal.timeout(5_000));
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });

  it('tries the next address if the first one refuses the connection', async () => {
    const socket = await dial(['127.0.0.9', '127.0.0.1'], port, AbortSignal.timeout(5_000));
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });

  it("closes a connection if the peer's address isn't one of the given addresses", async () => {
    // The kernel treats 0.0.0.0 as localhost, so the peer's address differs from the requested address.
    await expect(dial(['0.0.0.0'], port, AbortSignal.timeout(5_000))).rejects.toThrow(
      'connected to an unexpected IP address',
    );
  });

  it("doesn't connect if the signal is already aborted", async () => {
    await expect(dial(['127.0.0.1'], port, AbortSignal.abort())).rejects.toThrow('aborted');
  });

  it('throws an error when the server refuses the connection', async () => {
    await expect(dial(['127.0.0.1'], 1, AbortSignal.timeout(5_000))).rejects.toThrow();
  });
});
