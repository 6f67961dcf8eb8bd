import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseTarget } from '../address/parse-target.ts';
import type { Transport } from '../connect/transport.ts';
import { countRequest } from '../http/follow.ts';
import { openCrawlSession, type Session, type SessionOptions } from '../http/session.ts';
import type { CrawlLimits } from '../limits.ts';
import { ScanFailed, type ScanFailedReason } from '../scan-failed.ts';
import { openTunnel, refuseTunnel } from './tunnel.ts';

/** A connection that a client requested from the proxy. */
export type ProxyConnection = {
  readonly host: string;
  readonly port: number;
  /** Reason that the proxy refused the connection, or null if the proxy connected. */
  readonly refused: ScanFailedReason | null;
};

/** Options for {@link createForwardProxy}. */
export type ForwardProxyOptions = Pick<SessionOptions, 'signal' | 'site' | 'targetRate'> & {
  /**
   * Combined limits for all connections. `limits.requests` limits the number of connections, because the proxy can't
   * see requests inside TLS.
   */
  readonly limits: CrawlLimits;
  /** Called for each connection. After `limits.requests` connections, refused connections are no longer reported. */
  readonly onConnection?: (connection: ProxyConnection) => void;
};

/** Hop-by-hop headers (RFC 9110 §7.6.1), and headers that reveal the proxy. */
const HOP_BY_HOP = /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

/**
 * Creates a forward proxy for an untrusted client, such as a browser that runs a scanned page's scripts. The client can
 * reach only hosts that the crawler could reach: every host must pass the SSRF guard, and connections go only to
 * checked addresses. A session has limits for the number of connections, the bytes in both directions, and the total
 * time. Each connection also counts toward its target's rate limit.
 *
 * The proxy doesn't reveal to the client which addresses a hostname resolves to, and doesn't decrypt TLS. The response
 * to every refused connection is 403, regardless of the reason.
 *
 * @example createForwardProxy(publicTransport, { limits: defaultCrawlLimits }).listen('/run/render/proxy')
 */
export function createForwardProxy(
  transport: Transport,
  { limits, onConnection = () => {}, ...options }: ForwardProxyOptions,
): Server {
  const session = openCrawlSession(transport, limits, '', options);
  const server = createServer({ requestTimeout: limits.totalMs, headersTimeout: limits.headersMs });
  server.maxConnections = limits.requests;
  let reports = 0;

  /** Opens a connection, or refuses it and returns null. */
  const open = async (address: string): Promise<Socket | null> => {
    let refused: ScanFailedReason | null = null;
    let upstream: Socket | null = null;
    let url: URL | null = null;
    try {
      url = parseTarget(address);
      upstream = await connect(transport, session, url);
    } catch (error) {
      refused = error instanceof ScanFailed ? error.reason : 'unreachable';
    }
    reports += 1;
    if (refused === null || reports <= limits.requests)
      onConnection({
        host: url?.hostname ?? '',
        port: Number(url?.port) || (url?.protocol === 'http:' ? 80 : 443),
        refused,
      });
    return upstream;
  };

  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    const [host, port] = splitAuthority(request.url ?? '');
    void open(`${port === '80' ? 'http' : 'https'}://${host}:${port}/`).then(upstream => {
      if (!upstream) return refuseTunnel(client, '403 Forbidden');
      session.signal.addEventListener('abort', () => upstream.destroy(), { once: true });
      openTunnel(client, upstream, head, {
        idleMs: limits.totalMs,
        allowBytes: bytes => spend(session, bytes),
      });
    });
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void forward(session, open, request, response);
  });
  server.on('upgrade', (_, client: Duplex) => client.destroy());
  server.on('close', () => void session.guard.agent.destroy());
  session.signal.addEventListener('abort', () => server.closeAllConnections(), { once: true });
  return server;
}

/** Splits a CONNECT target at its last colon, so that IPv6 addresses keep their brackets. */
function splitAuthority(authority: string): [host: string, port: string] {
  const colon = authority.lastIndexOf(':');
  return [authority.slice(0, Math.max(colon, 0)), authority.slice(colon + 1)];
}

async function connect(transport: Transport, session: Session, url: URL): Promise<Socket> {
  const { guard, limits, signal } = session;
  signal.throwIfAborted();
  const addresses = await guard.admit(url);
  await countRequest(session, url, addresses);
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(limits.connectMs)]);
  return await transport.dial(addresses, Number(url.port) || (url.protocol === 'https:' ? 443 : 80), inTime);
}

/** Counts bytes toward the session's limit. Returns false if the limit is reached. */
function spend({ budget }: Session, bytes: number): boolean {
  budget.bytes -= bytes;
  return budget.bytes > 0;
}

/** Forwards a plain HTTP request, which the client sends to the proxy with the absolute URL. */
async function forward(
  session: Session,
  open: (address: string) => Promise<Socket | null>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (status: number) => response.writeHead(status, { connection: 'close' }).end();
  const url = URL.parse(request.url ?? '');
  const upstream = url?.protocol === 'http:' ? await open(url.href) : null;
  if (!url || !upstream) return void refuse(403);
  upstream.on('error', () => upstream.destroy());
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !HOP_BY_HOP.test(name)));
  const forwarded = httpRequest({
    createConnection: () => upstream,
    method: request.method,
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host, connection: 'close' },
    maxHeaderSize: session.limits.headerBytes,
    signal: session.signal,
  });
  forwarded.on('error', () => {
    if (!response.headersSent) refuse(502);
    else response.destroy();
  });
  forwarded.on('response', reply => {
    const kept = Object.fromEntries(Object.entries(reply.headers).filter(([name]) => !HOP_BY_HOP.test(name)));
    response.writeHead(reply.statusCode ?? 502, kept);
    reply.on('data', chunk => spend(session, chunk.length) || upstream.destroy());
    reply.on('error', () => response.destroy()).pipe(response);
  });
  request.on('data', chunk => spend(session, chunk.length) || upstream.destroy());
  request.on('error', () => upstream.destroy()).pipe(forwarded);
  response.on('close', () => upstream.destroy());
}
