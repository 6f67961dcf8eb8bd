import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Agent } from 'undici';
import { isPublicName, literalAddress } from '../address/target.ts';
import type { Limits } from '../limits.ts';
import { ScanFailed } from '../scan-failed.ts';
import type { Doors } from './doors.ts';

/**
 * The only way to a server. A host is admitted once per capture: resolved once, every answer judged, the addresses
 * pinned. Connections go to pinned addresses, so a name that changes its mind between check and connect changes nothing.
 */
export type Gate = {
  /**
   * Lets a host in, or not. A refusal and a failed lookup both take exactly `limits.refusalMs`.
   *
   * @throws ScanFailed `refused_address`, `unreachable`
   */
  admit(url: URL): Promise<void>;
  /** Sends requests to admitted hosts. */
  agent: Agent;
};

/**
 * Makes the gate of one capture. Destroy its agent when the capture is done.
 *
 * @example const gate = createGate(doors, limits, signal); await gate.admit(url); await gate.agent.request({ … })
 */
export function createGate(doors: Doors, limits: Limits, signal: AbortSignal): Gate {
  const pins = new Map<string, Promise<readonly string[]>>();

  const judged = async (url: URL): Promise<readonly string[]> => {
    const literal = literalAddress(url);
    if (!literal && !isPublicName(url.hostname)) throw new ScanFailed('refused_address');
    const answers = literal ? [literal] : await resolved(url.hostname);
    // One bad answer among good ones is the mark of a rebinding name: refuse them all.
    if (!answers.every(doors.judge)) throw new ScanFailed('refused_address');
    return answers;
  };

  const resolved = async (hostname: string): Promise<string[]> => {
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(limits.dnsMs)]);
    const answers = await aborted(inTime, doors.resolve(hostname, inTime)).catch(() => []);
    if (answers.length === 0) throw new ScanFailed('unreachable');
    return answers;
  };

  const open = async (hostname: string, port: number, secure: boolean): Promise<Socket> => {
    const addresses = await pins.get(hostname);
    if (!addresses) throw new ScanFailed('refused_address');
    const socket = await connected(doors, addresses, port, limits.connectMs, signal);
    return secure ? encrypted(socket, hostname, limits.tlsMs, signal) : socket;
  };

  return {
    admit: async url => {
      const host = literalAddress(url) ?? url.hostname;
      let pin = pins.get(host);
      if (!pin) {
        pin = atLeast(limits.refusalMs, signal, judged(url));
        pins.set(host, pin);
      }
      await pin;
    },
    agent: new Agent({
      allowH2: false,
      pipelining: 1,
      connections: 6,
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

async function connected(
  doors: Doors,
  addresses: readonly string[],
  port: number,
  ms: number,
  signal: AbortSignal,
): Promise<Socket> {
  const late = AbortSignal.timeout(ms);
  const inTime = AbortSignal.any([signal, late]);
  try {
    return await aborted(inTime, doors.dial(addresses, port, inTime));
  } catch {
    throw new ScanFailed(inTime.aborted ? 'timed_out' : 'unreachable');
  }
}

/** Wraps a connection in TLS and checks the certificate against the host that was asked for. */
function encrypted(socket: Socket, hostname: string, ms: number, signal: AbortSignal): Promise<Socket> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  return new Promise((resolve, reject) => {
    const secured = connectTls({
      socket,
      host: hostname,
      // RFC 6066 §3: no address in SNI. The certificate is then checked against `host`.
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

/** The same result as `work`, but a failure comes no sooner than `ms` after the call, or when the whole capture ends. */
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

/** Rejects as soon as the signal does, whether or not the work listens to it. */
function aborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
