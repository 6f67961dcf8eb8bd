import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isPublicName } from '../address/parse-target.ts';
import type { Transport } from '../connect/transport.ts';
import { openTunnel, refuseTunnel } from './tunnel.ts';

/** Request header that lists additional addresses of the same host, separated by commas. */
export const ALTERNATIVES = 'egress-alternatives';

/** Path prefix for DNS lookups, followed by the hostname. */
export const RESOLVE_PATH = '/resolve/';

/** Destination ports that the proxy allows. */
const PORTS = [80, 443];

/** Proxy limits. Times are in milliseconds. */
const LIMITS = { connections: 1_000, dnsMs: 5_000, connectMs: 10_000, idleMs: 60_000, alternatives: 16, name: 253 };

/**
 * Creates an HTTP proxy that connects only to public addresses, so that a process with secrets can run without a route
 * to the internet. The proxy doesn't see any secrets, because clients send secrets only over TLS.
 *
 * - `CONNECT address:port` opens a connection to a public address on port 80 or 443.
 * - `CONNECT hostname:port` resolves the hostname, checks all of its addresses, and connects to one of them.
 * - `GET /resolve/hostname` returns the hostname's addresses as JSON: an empty list if the name doesn't exist. The
 *   status is 404 if the name isn't a valid public hostname, or 502 if the lookup fails.
 * - `GET /healthz` returns 204.
 *
 * @example createEgressProxy(publicTransport).listen(8788)
 */
export function createEgressProxy(transport: Transport): Server {
  const server = createServer({ requestTimeout: LIMITS.connectMs, headersTimeout: LIMITS.connectMs });
  server.maxConnections = LIMITS.connections;
  server.on('request', (request, response) => void respond(transport, request, response));
  server.on('connect', (request, client, head) => void connect(transport, request, client, head));
  return server;
}

async function respond(transport: Transport, { method, url = '' }: IncomingMessage, response: ServerResponse) {
  if (method !== 'GET') return response.writeHead(405, { Allow: 'GET, CONNECT' }).end();
  if (url === '/healthz') return response.writeHead(204).end();
  const name = url.startsWith(RESOLVE_PATH) ? url.slice(RESOLVE_PATH.length) : '';
  if (!isHostname(name)) return response.writeHead(404).end();
  const addresses = await resolve(transport, name).catch(() => null);
  if (!addresses) return response.writeHead(502).end();
  return response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(addresses));
}

async function connect(transport: Transport, request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
  client.on('error', () => client.destroy());
  const target = targetOf(request);
  if (!target) return refuseTunnel(client, '400 Bad Request');
  const addresses = target.hosts.every(host => isIP(host))
    ? target.hosts
    : await resolve(transport, target.hosts[0]!).catch(() => []);
  if (!PORTS.includes(target.port) || !addresses.every(transport.isAllowed))
    return refuseTunnel(client, '403 Forbidden');
  const upstream = await dial(transport, addresses, target.port);
  if (!upstream) return refuseTunnel(client, '502 Bad Gateway');
  openTunnel(client, upstream, head, LIMITS);
}

/** Returns a CONNECT request's host, additional addresses, and port, or null if the request is invalid. */
function targetOf({ url = '', headers }: IncomingMessage): { hosts: string[]; port: number } | null {
  const [, bracketed, plain, port] = /^(?:\[([\da-fA-F:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(url) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || !(isIP(host) || isHostname(host))) return null;
  const alternatives = String(headers[ALTERNATIVES] ?? '')
    .split(',')
    .map(address => address.trim())
    .filter(address => address !== '');
  const isValid = alternatives.length <= LIMITS.alternatives && [host, ...alternatives].every(each => isIP(each));
  if (alternatives.length > 0 && !isValid) return null;
  return { hosts: [host, ...alternatives], port: Number(port) };
}

function isHostname(text: string): boolean {
  return text.length <= LIMITS.name && /^[\w.-]+$/.test(text) && isPublicName(text);
}

async function resolve(transport: Transport, name: string): Promise<string[]> {
  return await transport.resolve(name, AbortSignal.timeout(LIMITS.dnsMs));
}

async function dial(transport: Transport, addresses: readonly string[], port: number): Promise<Socket | null> {
  if (addresses.length === 0) return null;
  return await transport.dial(addresses, port, AbortSignal.timeout(LIMITS.connectMs)).catch(() => null);
}
