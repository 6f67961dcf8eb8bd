import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { isPublicAddress } from '../address/public-address.ts';
import type { Transport } from '../connect/transport.ts';
import { ScanFailed } from '../scan-failed.ts';
import { ALTERNATIVES, RESOLVE_PATH } from './egress-proxy.ts';

/**
 * Creates a transport that connects through an egress proxy, for a process without a route to the internet. Every
 * address is checked here and again in the proxy. If the proxy doesn't respond, requests fail with `no_egress`.
 *
 * @param proxy proxy URL
 * @example createScanner(createCrawler(createEgressTransport(new URL('http://egress:8788'))), options)
 */
export function createEgressTransport({ hostname: host, port }: URL): Transport {
  const send = (method: string, path: string, headers: Record<string, string>, signal: AbortSignal) =>
    request({ host, port, method, path, headers, signal, agent: false });
  return {
    isAllowed: isPublicAddress,
    async resolve(hostname, signal) {
      const lookup = send('GET', `${RESOLVE_PATH}${hostname}`, {}, signal);
      lookup.end();
      const [response] = (await once(lookup, 'response').catch(unavailable)) as [IncomingMessage];
      if (response.statusCode === 200) return (await json(response)) as string[];
      response.resume();
      // The proxy doesn't look up names that can't be public.
      if (response.statusCode === 404) return [];
      throw new Error(`The egress proxy's DNS lookup failed with status ${response.statusCode}.`);
    },
    async dial([address = '', ...alternatives], port, signal) {
      const path = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
      const connection = send('CONNECT', path, { [ALTERNATIVES]: alternatives.join(',') }, signal);
      connection.end();
      const [{ statusCode }, socket, head] = (await once(connection, 'connect').catch(unavailable)) as [
        IncomingMessage,
        Socket,
        Buffer,
      ];
      if (statusCode !== 200) {
        socket.destroy();
        throw new Error(`The egress proxy refused the connection with status ${statusCode}.`);
      }
      if (head.length > 0) socket.unshift(head);
      return socket;
    },
  };
}

/** Throws `no_egress` if the connection to the proxy failed, or the original error if the request was aborted. */
function unavailable(error: Error): never {
  throw error.name === 'AbortError' ? error : new ScanFailed('no_egress');
}
