import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Agent } from 'undici';
import { isPublicName, literalAddress } from '../address/parse-target.ts';
import type { CrawlLimits } from '../limits.ts';
import { ScanFailed } from '../scan-failed.ts';
import type { Transport } from './transport.ts';

/**
 * Guard that protects a capture's connections against SSRF. To admit a host, the guard resolves the hostname once per
 * capture, checks every address, and pins the addresses. The guard connects only to pinned addresses, so a DNS change
 * between the check and the connection has no effect.
 */
export type SsrfGuard = {
  /**
   * Admits a host and returns its pinned addresses. Rejections and failed lookups both take at least
   * `limits.refusalMs`, unless the capture ends before then.
   *
   * @throws ScanFailed with `unreachable` if the lookup fails or returns no address or a private address, or with
   * `refused_address` if the URL itself shows that the host isn't public
   */
  admit(url: URL): Promise<readonly string[]>;
  /** HTTP agent that connects only to admitted hosts. */
  agent: Agent;
};

/**
 * A hostname that the guard rejects after a DNS lookup, and the cause. Callers receive the same error for both causes,
 * because the difference would reveal which names exist in private networks.
 */
export type LookupFailure = { hostname: string; cause: 'private_address' | 'no_address' };

/**
 * Creates the guard for one capture. Destroy the guard's agent when the capture is done.
 *
 * @param onLookupFailure called for each hostname without an address or with a private address, so that the operator
 * can log the cause
 * @example
 * const guard = createSsrfGuard(transport, limits, signal);
 * await guard.admit(url);
 * await guard.agent.request({ … });
 */
export function createSsrfGuard(
  transport: Transport,
  limits: CrawlLimits,
  signal: AbortSignal,
  onLookupFailure: (failure: LookupFailure) => void = () => {},
): SsrfGuard {
  const pins = new Map<string, Promise<readonly string[]>>();

  const allowedAddresses = async (url: URL): Promise<readonly string[]> => {
    refusePrivateHost(url, transport);
    const literal = literalAddress(url);
    if (literal) return [literal];
    const answers = await resolved(url.hostname);
    // A private address among public ones indicates DNS rebinding, so reject the host.
    const isPublic = answers.length > 0 && answers.every(transport.isAllowed);
    if (isPublic) return answers;
    onLookupFailure({ hostname: url.hostname, cause: answers.length > 0 ? 'private_address' : 'no_address' });
    throw new ScanFailed('unreachable');
  };

  const resolved = async (hostname: string): Promise<string[]> => {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(limits.dnsMs)]);
    return await aborted(inTime, transport.resolve(hostname, inTime)).catch(error => {
      if (isWithoutEgress(error)) throw error;
      return [];
    });
  };

  const open = async (hostname: string, port: number, secure: boolean): Promise<Socket> => {
    const addresses = await pins.get(hostname);
    if (!addresses) throw new ScanFailed('refused_address');
    const socket = await connected(transport, addresses, port, limits.connectMs, signal);
    return secure ? encrypted(socket, hostname, limits.tlsMs, signal) : socket;
  };

  return {
    admit: async url => {
      const host = literalAddress(url) ?? url.hostname;
      let pin = pins.get(host);
      if (!pin) {
        pin = atLeast(limits.refusalMs, signal, allowedAddresses(url));
        pins.set(host, pin);
      }
      return await pin;
    },
    agent: new Agent({
      allowH2: false,
      pipelining: 1,
      connections: limits.connections,
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      bodyTimeout: limits.idleMs,
      connect: ({ hostname, port, protocol }, done) => {
        const secure = protocol === 'https:';
        open(hostname, Number(port) || (secure ? 443 : 80), secure).then(
          socket => done(null, socket),
          error => done(error, null),
        );
      },
    }),
  };
}

/**
 * Rejects a URL if its host is a private IP address or a hostname that can't be public. Doesn't resolve hostnames.
 *
 * @throws ScanFailed with `refused_address`
 */
export function refusePrivateHost(url: URL, { isAllowed }: Pick<Transport, 'isAllowed'>): void {
  const literal = literalAddress(url);
  if (literal ? !isAllowed(literal) : !isPublicName(url.hostname)) throw new ScanFailed('refused_address');
}

async function connected(
  transport: Transport,
  addresses: readonly string[],
  port: number,
  ms: number,
  signal: AbortSignal,
): Promise<Socket> {
  const late = AbortSignal.timeout(ms);
  const inTime = AbortSignal.any([signal, late]);
  try {
    return await aborted(inTime, transport.dial(addresses, port, inTime));
  } catch (error) {
    if (isWithoutEgress(error)) throw error;
    throw new ScanFailed(inTime.aborted ? 'timed_out' : 'unreachable');
  }
}

/** Returns whether an error was caused by an unresponsive egress proxy rather than by the host. */
function isWithoutEgress(error: unknown): boolean {
  return error instanceof ScanFailed && error.reason === 'no_egress';
}

/** Adds TLS to a connection and verifies the certificate against the requested host. */
function encrypted(socket: Socket, hostname: string, ms: number, signal: AbortSignal): Promise<Socket> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      host: hostname,
      // SNI can't contain an IP address (RFC 6066 §3). Without `servername`, Node.js verifies the certificate against
      // `host`.
      ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
      ALPNProtocols: ['http/1.1'],
    });
    const abort = () => secured.destroy(new ScanFailed('timed_out'));
    inTime.addEventListener('abort', abort, { once: true });
    if (inTime.aborted) abort();
    secured.once('secureConnect', () => {
      inTime.removeEventListener('abort', abort);
      resolve(secured);
    });
    secured.once('error', error => {
      inTime.removeEventListener('abort', abort);
      reject(error instanceof ScanFailed ? error : new ScanFailed('tls'));
    });
  });
}

/**
 * Returns the result of `work`. If `work` fails, delays the error until `ms` milliseconds after the call or until the
 * capture ends, whichever comes first.
 */
async function atLeast<T>(ms: number, signal: AbortSignal, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const floor = new Promise<void>(open => {
    timer = setTimeout(open, ms);
    signal.addEventListener('abort', () => open(), { once: true });
    if (signal.aborted) open();
  });
  try {
    return await work;
  } catch (error) {
    await floor;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the result of `work`, but rejects as soon as `signal` aborts, even if `work` ignores the signal. */
function aborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
