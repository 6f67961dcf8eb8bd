import type { Connection } from './client-network.ts';

/** Data that middleware and handlers share while they process a request. */
export interface ApiEnv {
  Bindings: Connection;
  Variables: {
    requestId: string;
    /** Headers to add to every response, including errors. */
    responseHeaders: Record<string, string>;
    /** The requested operation; unset for pages and unknown paths. */
    endpoint?: { readonly id: string; readonly path: string };
    /** API key ID, set after authentication. */
    keyId?: string;
    /** Error code in the response. */
    error?: string;
  };
}
