import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { isPublicAddress } from '../address/public-address.ts';
import type { Transport } from '../connect/transport.ts';

/**
 * Addresses for a hostname. To simulate changing DNS records, use a function that returns the addresses for the nth
 * lookup.
 */
type Records = string[] | ((asked: number) => string[] | Promise<string[]>);

/**
 * A simulated internet on loopback. Names, addresses, and ports are public, and the crawler checks them as in
 * production. Only the dialer differs: it connects to the loopback server assigned to an address and port.
 */
export type Network = {
  transport: Transport;
  /** Addresses for each hostname that resolves. */
  names: Map<string, Records>;
  /** Number of DNS lookups per hostname. */
  resolved: Map<string, number>;
  /** All connections, as address:port strings. */
  dialed: string[];
  /** Assigns a server to an address and port. */
  listen(address: string, port: number, server: Server): Promise<void>;
  /** Adds an HTTP site: the hostname resolves to the address, where a server responds on port 80. */
  site(name: string, listener: RequestListener, address?: string): Promise<void>;
  /** Adds an HTTPS site on port 443. */
  secureSite(name: string, options: ServerOptions, listener: RequestListener, address?: string): Promise<void>;
  /** Adds a site on port 80 that sends raw bytes. */
  rawSite(name: string, onConnection: (socket: Socket) => void, address?: string): Promise<void>;
  close(): Promise<void>;
};

/** An ordinary public address, the default for test sites. */
export const publicAddress = '93.184.216.34';

/** @example const network = createNetwork(); await network.site('shop.example', (_, response) => response.end('<html>')) */
export function createNetwork(): Network {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const ports = new Map<string, number>();
  const names = new Map<string, Records>();
  const resolved = new Map<string, number>();
  const dialed: string[] = [];

  const listen = async (address: string, port: number, server: Server): Promise<void> => {
    await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
    server.on('connection', socket => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    });
    servers.push(server);
    ports.set(`${address}:${port}`, (server.address() as AddressInfo).port);
  };

  const dial: Transport['dial'] = async ([address = ''], port, signal) => {
    dialed.push(`${address}:${port}`);
    const local = ports.get(`${address}:${port}`);
    if (local === undefined) throw new Error('connection refused');
    // Don't pass the signal to `connect`, because a later abort would then also destroy the open socket.
    const socket = connect({ host: '127.0.0.1', port: local });
    await once(socket, 'connect', { signal }).catch(error => {
      socket.destroy();
      throw error;
    });
    return socket;
  };

  const resolve: Transport['resolve'] = async hostname => {
    const asked = (resolved.get(hostname) ?? 0) + 1;
    resolved.set(hostname, asked);
    const records = names.get(hostname) ?? [];
    return typeof records === 'function' ? records(asked) : records;
  };

  const at = async (name: string, address: string, port: number, server: Server) => {
    names.set(name, [address]);
    await listen(address, port, server);
  };

  return {
    transport: { resolve, isAllowed: isPublicAddress, dial },
    names,
    resolved,
    dialed,
    listen,
    site: (name, listener, address = publicAddress) => at(name, address, 80, createServer(listener)),
    secureSite: (name, options, listener, address = publicAddress) =>
      at(name, address, 443, createHttpsServer(options, listener)),
    rawSite: (name, onConnection, address = publicAddress) => at(name, address, 80, createTcpServer(onConnection)),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map(server => new Promise(done => server.close(done))));
    },
  };
}
