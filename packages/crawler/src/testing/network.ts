import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { isPublicAddress } from '../address/judge.ts';
import type { Doors } from '../connect/doors.ts';

/** What a name answers: addresses, or a function of how often it was asked, for names that change their mind. */
type Records = string[] | ((asked: number) => string[] | Promise<string[]>);

/**
 * A small internet on loopback. Names, addresses and ports are those of the outside world and are judged as in production;
 * only the dialer differs: it connects to the loopback server that stands for an address and port.
 */
export type Network = {
  doors: Doors;
  /** Names that resolve. */
  names: Map<string, Records>;
  /** How often each name was resolved. */
  resolved: Map<string, number>;
  /** Every connection that was made, as address:port. */
  dialled: string[];
  /** Lets a server stand for an address and port. */
  listen(address: string, port: number, server: Server): Promise<void>;
  /** A plain http site: the name resolves to the address, which answers on port 80. */
  site(name: string, listener: RequestListener, address?: string): Promise<void>;
  /** An https site on port 443. */
  secureSite(name: string, options: ServerOptions, listener: RequestListener, address?: string): Promise<void>;
  /** A site on port 80 that speaks raw bytes. */
  rawSite(name: string, onConnection: (socket: Socket) => void, address?: string): Promise<void>;
  close(): Promise<void>;
};

/** An ordinary public address, where sites of the tests live unless they say otherwise. */
export const publicAddress = '93.184.216.34';

/** @example const network = createNetwork(); await network.site('shop.example', (_, response) => response.end('<html>')) */
export function createNetwork(): Network {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const ports = new Map<string, number>();
  const names = new Map<string, Records>();
  const resolved = new Map<string, number>();
  const dialled: string[] = [];

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

  const dial: Doors['dial'] = async ([address = ''], port, signal) => {
    dialled.push(`${address}:${port}`);
    const local = ports.get(`${address}:${port}`);
    if (local === undefined) throw new Error('connection refused');
    // The signal is for connecting alone. Given to `connect` it would end the socket later, too.
    const socket = connect({ host: '127.0.0.1', port: local });
    await once(socket, 'connect', { signal }).catch(error => {
      socket.destroy();
      throw error;
    });
    return socket;
  };

  const resolve: Doors['resolve'] = async hostname => {
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
    doors: { resolve, judge: isPublicAddress, dial },
    names,
    resolved,
    dialled,
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
