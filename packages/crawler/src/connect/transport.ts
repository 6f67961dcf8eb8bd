import type { Socket } from 'node:net';

/**
 * Network access for this package. Production uses `publicTransport`. Tests pass their own transport so that all other
 * code runs unchanged against loopback servers. No setting permits connections to private addresses.
 */
export type Transport = {
  /** Resolves a hostname to all of its addresses. Rejects or returns `[]` if the hostname doesn't have an address. */
  resolve(hostname: string, signal: AbortSignal): Promise<string[]>;
  /** Returns whether connections to an address are allowed. */
  isAllowed(address: string): boolean;
  /** Opens a TCP connection to one of the given addresses, never to any other address. */
  dial(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket>;
};
