import type { Socket } from 'node:net';

/**
 * The three ways out of this package. Production has one set (`publicDoors`); tests pass their own, so that the code
 * between them runs unchanged against servers on loopback. There is no setting that widens them.
 */
export type Doors = {
  /** Every address of a name. Rejects or answers `[]` when there is none. */
  resolve(hostname: string, signal: AbortSignal): Promise<string[]>;
  /** Whether an address may be contacted. */
  judge(address: string): boolean;
  /** A TCP connection to one of these addresses, and to nothing else. */
  dial(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket>;
};
