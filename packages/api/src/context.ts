import type { Connection } from './gates/client-address.ts';
import type { Endpoint } from './operations/operation.ts';

/** What is known of a request while it is answered. */
export interface ApiEnv {
  Bindings: Connection;
  Variables: {
    requestId: string;
    /** Headers that the answer will have, whichever it becomes. */
    carried: Record<string, string>;
    /** What is called; unset on pages and on paths that are none. */
    endpoint?: Endpoint;
    /** Id of the key, once it is known to work. */
    keyId?: string;
    /** The code of the error that is answered. */
    error?: string;
  };
}
