import type { Context } from 'hono';
import type { Connection } from './client-network.ts';

/** Thrown when the client closes the connection before the service has read the request. */
export class ClientClosedRequest extends Error {
  override name = 'ClientClosedRequest';
}

/** Returns whether the client has closed the connection and therefore can't receive a response. */
export function isClientGone(c: Context): boolean {
  return (c.env as Connection | undefined)?.incoming?.socket?.destroyed ?? false;
}

/**
 * Waits for a request body to be read.
 *
 * @throws ClientClosedRequest if the client closed the connection during the read
 * @example const text = await fromClient(c, c.req.text());
 */
export async function fromClient<T>(c: Context, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw isClientGone(c) || c.req.raw.signal.aborted ? new ClientClosedRequest() : error;
  }
}
