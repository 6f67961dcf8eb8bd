import type { Phase, VisitStep } from '@compliance/core/pixel';
import type { Protocol } from 'devtools-protocol';
import type { BrowserEvent } from '../browser/cdp.ts';
import { bodyOf } from '../browser/tab.ts';

/** A browser request, with its response. Every string comes from the page or a server. */
export interface RecordedRequest {
  readonly phase: Phase;
  readonly step: VisitStep;
  /** Sequence number of the page view. */
  readonly view: number;
  readonly url: string;
  readonly method: string;
  readonly type: string;
  /** Start time of the request, in milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** Duration of the request, in milliseconds, or `null` if the browser didn't report when the request ended. */
  readonly ms: number | null;
  /** Headers, excluding cookies and credentials. */
  readonly headers: readonly Header[];
  /** Beginning of the request's body. */
  readonly body: string | null;
  readonly response: RecordedResponse | null;
  /** The browser's error, such as `net::ERR_NAME_NOT_RESOLVED`, or `null` if the browser didn't report one. */
  readonly error: string | null;
  /** Reason that the browser blocked the request, such as `csp`, or `null` if the browser didn't block it. */
  readonly blocked: string | null;
}

/** A response without its body. */
export interface RecordedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly mimeType: string;
  readonly headers: readonly Header[];
  /** Number of bytes received for the response, before decompression. */
  readonly bytes: number;
}

/** A header's name and value. */
type Header = readonly [name: string, value: string];

/** Collects a visit's requests. */
export interface VisitRequests {
  /** Receives a browser event. `at` is the visit's current position, or `null` between the recorded steps. */
  observe(event: BrowserEvent, at: Pick<RecordedRequest, 'phase' | 'step' | 'view'> | null): void;
  requests(): RecordedRequest[];
}

type Open = { -readonly [Field in keyof RecordedRequest]: RecordedRequest[Field] };

const MAX_REQUESTS = 3_000;
/** Maximum combined size of all requests, in characters. */
const MAX_TEXT = 20_000_000;
const MAX_URL = 8_192;
const MAX_BODY = 8_192;
const MAX_HEADERS = 60;
const MAX_VALUE = 2_048;

/** Headers that aren't recorded, because they contain cookies or credentials. */
const SECRET = /^(?:cookie|set-cookie|authorization|proxy-authorization)$/i;

/** @example const log = createVisitRequests(); log.observe(event, { phase: 'load', step: 'page', view: 1 }); log.requests() */
export function createVisitRequests(): VisitRequests {
  const requests: Open[] = [];
  /** Requests without a complete response, by session and ID. */
  const open = new Map<string, { request: Open; started: number }>();
  let text = 0;

  return {
    requests: () => requests,
    observe(event, at) {
      if (!event.method.startsWith('Network.')) return;
      const { requestId = '' } = (event.params ?? {}) as { readonly requestId?: string };
      const key = `${event.sessionId} ${requestId}`;
      const current = open.get(key);
      if (event.method === 'Network.requestWillBeSent') {
        const { request, type = 'Other', wallTime, timestamp, redirectResponse } = event.params;
        if (current && redirectResponse) {
          current.request.response = responseOf(redirectResponse);
          current.request.ms = elapsed(current.started, timestamp);
        }
        if (at === null || requests.length >= MAX_REQUESTS || text > MAX_TEXT) return;
        const url = request.url.slice(0, MAX_URL);
        const headers = headersOf(request.headers);
        const body = bodyOf(request)?.slice(0, MAX_BODY) ?? null;
        text += url.length + (body?.length ?? 0) + headers.flat().join('').length;
        const entry: Open = {
          ...{ ...at, url, method: request.method, type, startedAt: Math.round(wallTime * 1_000), ms: null },
          ...{ headers, body, response: null, error: null, blocked: null },
        };
        requests.push(entry);
        open.set(key, { request: entry, started: timestamp });
      }
      if (!current) return;
      const { request, started } = current;
      if (event.method === 'Network.responseReceived') {
        request.response = responseOf(event.params.response);
        text += request.response.headers.flat().join('').length;
      } else if (event.method === 'Network.loadingFinished') {
        request.ms = elapsed(started, event.params.timestamp);
        if (request.response) request.response = { ...request.response, bytes: event.params.encodedDataLength };
        open.delete(key);
      } else if (event.method === 'Network.loadingFailed') {
        request.ms = elapsed(started, event.params.timestamp);
        request.error = event.params.errorText.slice(0, MAX_VALUE);
        request.blocked = event.params.blockedReason ?? null;
        open.delete(key);
      }
    },
  };
}

const elapsed = (from: number, to: number): number => Math.max(0, Math.round((to - from) * 1_000));

const headersOf = (headers: Protocol.Network.Headers): Header[] =>
  Object.entries(headers)
    .filter(([name]) => !SECRET.test(name))
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => [name.slice(0, MAX_VALUE), String(value).slice(0, MAX_VALUE)]);

const responseOf = ({ status, statusText, mimeType, headers, encodedDataLength }: Protocol.Network.Response) => ({
  ...{ status, statusText: statusText.slice(0, MAX_VALUE), mimeType: mimeType.slice(0, MAX_VALUE) },
  ...{ headers: headersOf(headers), bytes: encodedDataLength },
});
