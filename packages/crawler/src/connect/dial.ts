import { connect, isIP, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Opens a TCP connection to the first address that accepts it, without resolving names or using a proxy.
 *
 * @throws Error if no address accepts the connection, if the signal aborts, or if the peer's address isn't one of the
 * given addresses
 * @example await dial(['93.184.216.34'], 443, signal)
 */
export function dial(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      // This hostname is never resolved. Instead, `lookup` returns the checked addresses, so that Node.js can choose
      // between IPv6 and IPv4.
      host: 'allowedAddresses.invalid',
      port,
      autoSelectFamily: true,
      lookup: (_host, _options, answer) =>
        answer(
          null,
          addresses.map(address => ({ address, family: isIP(address) })),
        ),
    });
    const abort = () => socket.destroy(new Error('aborted'));
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    socket.once('error', reject);
    socket.once('close', () => signal.removeEventListener('abort', abort));
    socket.once('connect', () => {
      signal.removeEventListener('abort', abort);
      if (isOneOf(socket.remoteAddress, addresses)) return resolve(socket);
      socket.destroy(new Error('connected to an unexpected IP address'));
    });
  });
}

function isOneOf(peer: string | undefined, addresses: readonly string[]): boolean {
  if (peer === undefined) return false;
  const canonical = ipaddr.process(peer).toNormalizedString();
  return addresses.some(address => ipaddr.process(address).toNormalizedString() === canonical);
}
