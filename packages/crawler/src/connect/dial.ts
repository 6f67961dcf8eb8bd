import { connect, isIP, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Opens a TCP connection to the first of the addresses that answers. No name is resolved here, no proxy is used.
 *
 * @throws Error when none answers, when aborted, or when the peer turns out to be another address than those given
 * @example await dial(['93.184.216.34'], 443, signal)
 */
export function dial(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      // Never looked up: `lookup` answers with the judged addresses, which lets Node race IPv6 against IPv4 among them.
      host: 'judged.invalid',
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
      socket.destroy(new Error('connected to an address that was not asked for'));
    });
  });
}

function isOneOf(peer: string | undefined, addresses: readonly string[]): boolean {
  if (peer === undefined) return false;
  const canonical = ipaddr.process(peer).toNormalizedString();
  return addresses.some(address => ipaddr.process(address).toNormalizedString() === canonical);
}
