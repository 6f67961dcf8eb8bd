/**
 * Reason that a request is waiting: `offline` if the browser has no connection, `session` if the merchant's session has
 * expired, or `unavailable` if the app failed or didn't respond.
 */
type ConnectionProblem = 'offline' | 'session' | 'unavailable';

/** Requests that are waiting to be sent again. Works with React's `useSyncExternalStore`. */
export interface AppConnection {
  /** Returns the reason that a request is waiting. If no request is waiting, returns `offline` or null. */
  readonly problem: () => ConnectionProblem | null;
  readonly subscribe: (listener: () => void) => () => void;
  /** Sends the waiting requests again. */
  readonly retry: () => void;
}

/** HTTP status codes returned by a proxy that can't reach the app, or by the app while it's stopping. */
const UNAVAILABLE = [502, 503, 504];

/**
 * Wraps `fetch` so that a page and its forms survive a lost connection or an expired session. Without the wrapper, the
 * router would replace the page with an error page, and the merchant would lose all unsaved changes. A failed request
 * to the app waits until the merchant retries it or until the browser is back online.
 *
 * @param events event target that dispatches the browser's `online` and `offline` events
 * @param language the document's language, in which the app responds
 * @example
 * const { fetch, connection } = createResilientFetch(window.fetch, { origin: location.origin, events: window, isOnline: () => navigator.onLine, language: 'de' });
 */
export function createResilientFetch(
  send: typeof fetch,
  {
    origin,
    events,
    isOnline,
    language,
  }: {
    readonly origin: string;
    readonly events: EventTarget;
    readonly isOnline: () => boolean;
    readonly language: string;
  },
): { readonly fetch: typeof fetch; readonly connection: AppConnection } {
  const waiting = new Map<() => void, ConnectionProblem>();
  const listeners = new Set<() => void>();
  let reconnects = 0;
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const retry = () => {
    for (const resume of [...waiting.keys()]) resume();
  };
  events.addEventListener('online', () => {
    reconnects += 1;
    retry();
    notify();
  });
  events.addEventListener('offline', notify);

  const wait = (problem: ConnectionProblem, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => () => {
        waiting.delete(resume);
        signal.removeEventListener('abort', abort);
        settle();
        notify();
      };
      const resume = end(resolve);
      const abort = end(() => reject(signal.reason));
      waiting.set(resume, problem);
      signal.addEventListener('abort', abort);
      notify();
    });

  return {
    async fetch(input, init) {
      const request = new Request(input, init);
      if (!isAppRequest(request, origin)) return await send(input, init);
      request.headers.set('Accept-Language', language);
      for (;;) {
        const before = reconnects;
        const problem = await attempt(request.clone());
        if (problem instanceof Response) return problem;
        // If the browser reconnected during the attempt, retry immediately, because no further `online` event would end
        // the wait.
        if (reconnects === before) await wait(problem, request.signal);
      }
    },
    connection: {
      problem: () => [...waiting.values()][0] ?? (isOnline() ? null : 'offline'),
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      retry,
    },
  };

  async function attempt(request: Request): Promise<Response | ConnectionProblem> {
    try {
      const response = await send(request);
      if (response.status === 401) return 'session';
      const isLost = request.method === 'GET' ? UNAVAILABLE.includes(response.status) : response.status >= 500;
      return isLost ? 'unavailable' : response;
    } catch (error) {
      if (request.signal.aborted) throw error;
      return isOnline() ? 'unavailable' : 'offline';
    }
  }
}

/** Returns whether the router sent the request, either to load page data or to submit a form. */
function isAppRequest({ url }: Request, origin: string): boolean {
  const { origin: own, searchParams } = new URL(url);
  return own === origin && searchParams.has('_data');
}
