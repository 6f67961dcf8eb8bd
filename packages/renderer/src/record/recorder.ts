import {
  type BeaconInitiator,
  type Phase,
  type QueueCall,
  type RecordedBeacon,
  readBeacons,
  type SentRequest,
  type VisitStep,
} from '@compliance/core/pixel';
import type { Protocol } from 'devtools-protocol';
import type { BrowserEvent } from '../browser/cdp.ts';
import { bodyOf, type PausedRequest } from '../browser/tab.ts';
import type { ObservedCall } from './call-log.ts';
import { initiatorOf, senderOf, UNKNOWN_INITIATOR } from './initiator.ts';
import { createVisitRequests, type RecordedRequest } from './visit-requests.ts';

/** Maximum numbers of requests in a visit and in a page view. Busy storefronts make a few hundred per page view. */
const MAX_REQUESTS = 3_000;
const MAX_IN_VIEW = 1_500;
const MAX_BEACONS = 500;
const MAX_CALLS = 1_000;
/** Maximum time to wait for a response, in milliseconds. Some pages keep requests open. */
const MAX_WAIT_MS = 3_000;

/** Counts a visit's requests and records the beacons in them. A visit takes place in one tab. */
export interface Recorder {
  /** Starts a step. Requests before the first step, and after `stop`, aren't recorded. */
  start(phase: Phase, step: VisitStep): void;
  stop(): void;
  /** Starts a new page view. */
  view(): void;
  /** Records a request. Returns whether it contains a beacon. */
  record(request: PausedRequest): boolean;
  /** Receives a browser event, which can identify the code that sent a request or show that the page has loaded. */
  observe(event: BrowserEvent, target: Protocol.Target.TargetInfo): void;
  /** Records queue calls from the current page view. */
  addCalls(calls: readonly ObservedCall[]): void;
  /** Returns whether a successful response was received for the current page view. */
  hasPage(): boolean;
  /** Returns the number of intercepted requests in the current step. */
  requestCount(): number;
  /**
   * Returns the time since the browser's last event, in milliseconds, or 0 if the page hasn't loaded or is still
   * waiting for responses.
   */
  quietMs(): number;
  /** Resets `quietMs` after an action that causes events. */
  touch(): void;
  /** Resolves when the page has sent more requests than a limit allows. */
  readonly flooded: Promise<void>;
  /** Returns the number of page views in the visit. */
  views(): number;
  beacons(): RecordedBeacon[];
  calls(): QueueCall[];
  requests(): RecordedRequest[];
}

/** @example const recorder = createRecorder(); recorder.start('load', 'page'); tab.open(browser, { handle: recorder.record, … }) */
export function createRecorder(): Recorder {
  const initiators = new Map<string, BeaconInitiator>();
  const recorded: { beacon: Omit<RecordedBeacon, 'initiator'>; networkId: string | null }[] = [];
  /** IDs of paused requests. A worker in a new process can send requests before the recorder can pause them. */
  const paused = new Set<string>();
  const log = createVisitRequests();
  const calls: QueueCall[] = [];
  let at: { readonly phase: Phase; readonly step: VisitStep } | null = null;
  let startedAt = 0;
  let lastAt = 0;
  let inStep = 0;
  let views = 0;
  /** Start times of the requests without a complete response, by ID. IDs are unique in the browser. */
  const pending = new Map<string, number>();
  let pageUrl: string | null = null;
  let isLoaded = false;
  let isFound = false;
  let inAll = 0;
  let inView = 0;
  let flood = (): void => {};
  const flooded = new Promise<void>(resolve => {
    flood = resolve;
  });

  const keep = (request: SentRequest, networkId: string | null, intercepted: boolean): boolean => {
    const beacons = readBeacons(request);
    lastAt = performance.now();
    if (at === null) return beacons.length > 0;
    inStep += intercepted ? 1 : 0;
    const ms = Math.round(lastAt - startedAt);
    for (const beacon of beacons.slice(0, MAX_BEACONS - recorded.length))
      recorded.push({ beacon: { ...beacon, ...at, ms, view: views, intercepted }, networkId });
    return beacons.length > 0;
  };

  return {
    flooded,
    start(phase, step) {
      at = { phase, step };
      startedAt = performance.now();
      lastAt = startedAt;
      inStep = 0;
    },
    stop() {
      at = null;
    },
    view() {
      views += 1;
      inView = 0;
      // The browser doesn't always report that the previous page's requests have ended.
      pending.clear();
      isLoaded = false;
      isFound = false;
    },
    record({ url, body, networkId }) {
      inAll += 1;
      inView += 1;
      if (inAll > MAX_REQUESTS || inView > MAX_IN_VIEW) flood();
      if (networkId !== null && inAll <= MAX_REQUESTS) paused.add(networkId);
      return keep({ url, body }, networkId, true);
    },
    observe(event, target) {
      // Any event, even from a frame or worker, shows that the page is still active.
      lastAt = performance.now();
      log.observe(event, at && { ...at, view: views });
      noteProgress(pending, event, target);
      if (event.method === 'Page.loadEventFired' && target.type === 'page') isLoaded = true;
      if (event.method === 'Network.responseReceived' && event.params.frameId === target.targetId) {
        const { type, response } = event.params;
        if (type === 'Document') {
          isFound = response.status >= 200 && response.status < 300;
          pageUrl = response.url;
        }
      }
      if (event.method !== 'Network.requestWillBeSent' || initiators.size >= MAX_REQUESTS) return;
      const { requestId, request } = event.params;
      initiators.set(requestId, initiatorOf(event.params, target));
      if (target.type === 'worker') keep({ url: request.url, body: bodyOf(request) }, requestId, false);
    },
    addCalls(observed) {
      if (at === null) return;
      const now = performance.now() - startedAt;
      for (const { stack, age, ...call } of observed.slice(0, MAX_CALLS - calls.length)) {
        const initiator = senderOf(stack, pageUrl) ?? { ...UNKNOWN_INITIATOR, kind: 'page' };
        calls.push({ ...at, ...call, ms: Math.max(0, Math.round(now - age)), view: views, initiator });
      }
    },
    hasPage: () => isFound,
    requestCount: () => inStep,
    quietMs() {
      const now = performance.now();
      const isWaiting = [...pending.values()].some(start => now - start < MAX_WAIT_MS);
      return isLoaded && !isWaiting ? now - lastAt : 0;
    },
    touch() {
      lastAt = performance.now();
    },
    views: () => views,
    calls: () => calls,
    beacons: () =>
      withCallers(
        recorded
          .filter(({ beacon, networkId }) => beacon.intercepted || !paused.has(networkId ?? ''))
          .map(({ beacon, networkId }) => ({
            ...beacon,
            initiator: initiators.get(networkId ?? '') ?? UNKNOWN_INITIATOR,
          })),
        calls,
      ),
    requests: log.requests,
  };
}

/**
 * Adds a request that a page waits for, or removes a request that has ended. A page doesn't wait for a worker's
 * requests, except for the request for the worker's script. The browser reports the end of that request in the worker's
 * session.
 */
function noteProgress(pending: Map<string, number>, event: BrowserEvent, target: Protocol.Target.TargetInfo): void {
  if (event.method === 'Network.loadingFinished' || event.method === 'Network.loadingFailed')
    pending.delete(event.params.requestId);
  else if (event.method === 'Network.requestWillBeSent' && target.type !== 'worker')
    if (WAITED_FOR.has(event.params.type ?? '') && pending.size < MAX_REQUESTS)
      pending.set(event.params.requestId, performance.now());
}

/** Types of requests that a page waits for before it sends further requests. */
const WAITED_FOR = new Set(['Document', 'Script', 'XHR', 'Fetch']);

/**
 * Identifies the code that triggered the beacons sent by Meta's and Google's libraries. The libraries process queued
 * calls, so the browser reports only the library as the sender. For a Google event, the tag that sent the event remains
 * its initiator, and the position of the call is added.
 */
function withCallers(beacons: readonly RecordedBeacon[], calls: readonly QueueCall[]): RecordedBeacon[] {
  const unused = new Set(calls.filter(({ queue, name }) => queue === 'fbq' && name !== null));
  const layer = calls.filter(({ queue, initiator }) => queue === 'dataLayer' && initiator.kind === 'page');
  return beacons.map(beacon => {
    const { vendor, initiator, view, event, id } = beacon;
    if (vendor === 'meta' && initiator.kind === 'page') {
      const call = [...unused].find(
        each => each.view === view && each.command?.startsWith('track') && each.name === event,
      );
      if (!call) return beacon;
      unused.delete(call);
      return { ...beacon, initiator: call.initiator };
    }
    if (beacon.product === 'universal_analytics') {
      const call = calls.find(
        each =>
          each.queue === 'ga' && each.view === view && /(?:^|\.)send$/.test(each.command ?? '') && each.name === event,
      );
      return call && initiator.kind === 'page' ? { ...beacon, initiator: call.initiator } : beacon;
    }
    if (vendor !== 'google' || initiator.kind !== 'container' || initiator.id?.startsWith('GTM-')) return beacon;
    const called =
      layer.find(each => each.view === view && each.command === 'event' && each.name === event) ??
      layer.find(each => each.view === view && each.command === 'config' && each.name === id && event === 'page_view');
    if (!called) return beacon;
    const { url, line, column } = called.initiator;
    return { ...beacon, initiator: { ...initiator, url, line, column } };
  });
}
