import type { SpanContext } from '@opentelemetry/api';
import type { Connection } from './client-network.ts';

/** Data that pages and middleware share while processing a request. */
export interface PageEnv {
  Bindings: Connection;
  Variables: {
    requestId: string;
    /** The request's span; unset if the process doesn't trace requests. */
    span?: SpanContext;
    /** Error code in the response. */
    error?: string;
    /**
     * Whether a 5xx status is expected, such as for a readiness probe while the process is stopping. An expected status
     * isn't logged as a failure.
     */
    isPlanned?: boolean;
    /** Internal error that prevented the request from being processed. */
    failure?: unknown;
  };
}

/** Data that middleware and handlers share while processing a request. */
export interface ApiEnv extends PageEnv {
  Variables: PageEnv['Variables'] & {
    /** Headers to add to every response, including errors. */
    responseHeaders: Record<string, string>;
    /** The requested operation; unset for pages and unknown paths. */
    endpoint?: { readonly id: string; readonly path: string };
    /** API key ID, set after authentication. */
    keyId?: string;
  };
}
