import {
  type BeaconInitiator,
  type Phase,
  type RecordedBeacon,
  readBeacons,
  type SentRequest,
} from '@compliance/core/pixel';
import type { Protocol } from 'devtools-protocol';
import type { BrowserEvent } from '../browser/cdp.ts';
import { bodyOf, type PausedRequest } from '../browser/tab.ts';

/** Maximum number of requests in a visit. Busy storefronts make a few hundred. */
const MAX_REQUESTS = 3_000;
const MAX_BEACONS = 500;

/** Counts a visit's requests and records the beacons in them. */
export interface Recorder {
  /** Starts a phase. Requests before the first phase, and after `stop`, aren't recorded. */
  start(phase: Phase): void;
  stop(): void;
  /** Starts a new page view. */
  view(): void;
  /** Records a request. Returns whether it contains a beacon. */
  record(request: PausedRequest): boolean;
  /** Receives a browser event, which can show the code that sent a request, or that the page has loaded. */
  observe(event: BrowserEvent, target: Protocol.Target.TargetInfo): void;
  /** Whether the current page view has a successful response. */
  hasPage(): boolean;
  /** Number of requests in the current phase. */
  requests(): number;
  /** Milliseconds since the browser's last event, or 0 until the page has loaded. */
  quietMs(): number;
  /** Resolves when the page has sent more requests than the limit. */
  readonly flooded: Promise<void>;
  beacons(): RecordedBeacon[];
}

const UNKNOWN: BeaconInitiator = { kind: 'unknown', url: null, id: null };

/** @example const recorder = createRecorder(); recorder.start('load'); tab.open(browser, { handle: recorder.record, … }) */
export function createRecorder(): Recorder {
  const initiators = new Map<string, BeaconInitiator>();
  const recorded: { beacon: Omit<RecordedBeacon, 'initiator'>; networkId: string | null }[] = [];
  /** IDs of paused requests. A worker in a new process can send requests before the recorder can pause them. */
  const paused = new Set<string>();
  let phase: Phase | null = null;
  let startedAt = 0;
  let lastAt = 0;
  let inPhase = 0;
  let views = 0;
  let isLoaded = false;
  let isFound = false;
  let inAll = 0;
  let flood = (): void => {};
  const flooded = new Promise<void>(resolve => {
    flood = resolve;
  });

  const keep = (request: SentRequest, networkId: string | null, intercepted: boolean): boolean => {
    const beacons = readBeacons(request);
    lastAt = performance.now();
    if (phase === null) return beacons.length > 0;
    inPhase += intercepted ? 1 : 0;
    const ms = Math.round(lastAt - startedAt);
    for (const beacon of beacons.slice(0, MAX_BEACONS - recorded.length))
      recorded.push({ beacon: { ...beacon, phase, ms, view: views, intercepted }, networkId });
    return beacons.length > 0;
  };

  return {
    flooded,
    start(next) {
      phase = next;
      startedAt = performance.now();
      lastAt = startedAt;
      inPhase = 0;
    },
    stop() {
      phase = null;
    },
    view() {
      views += 1;
      isLoaded = false;
      isFound = false;
    },
    record({ url, body, networkId }) {
      inAll += 1;
      if (inAll > MAX_REQUESTS) flood();
      if (networkId !== null && inAll <= MAX_REQUESTS) paused.add(networkId);
      return keep({ url, body }, networkId, true);
    },
    observe(event, target) {
      // Any event of a frame or worker shows that the page is still loading something.
      lastAt = performance.now();
      if (event.method === 'Page.loadEventFired' && target.type === 'page') isLoaded = true;
      if (event.method === 'Network.responseReceived' && event.params.frameId === target.targetId) {
        const { type, response } = event.params;
        if (type === 'Document') isFound = response.status >= 200 && response.status < 300;
      }
      if (event.method !== 'Network.requestWillBeSent' || initiators.size >= MAX_REQUESTS) return;
      const { requestId, request } = event.params;
      initiators.set(requestId, initiatorOf(event.params, target));
      if (target.type === 'worker') keep({ url: request.url, body: bodyOf(request) }, requestId, false);
    },
    hasPage: () => isFound,
    requests: () => inPhase,
    quietMs: () => (isLoaded ? performance.now() - lastAt : 0),
    beacons: () =>
      recorded
        .filter(({ beacon, networkId }) => beacon.intercepted || !paused.has(networkId ?? ''))
        .map(({ beacon, networkId }) => ({ ...beacon, initiator: initiators.get(networkId ?? '') ?? UNKNOWN })),
  };
}

/** Path of Shopify's frames and workers for web pixels. */
const WEB_PIXEL = /\/(?:web-pixels@|wpm@)/;

function initiatorOf(
  { initiator, documentURL }: Protocol.Network.RequestWillBeSentEvent,
  target: Protocol.Target.TargetInfo,
): BeaconInitiator {
  const frames = initiator.stack?.callFrames ?? [];
  const urls = [...new Set([...frames.map(frame => frame.url), initiator.url ?? ''])].filter(url => url !== '');
  if ([...urls, documentURL, target.url].some(url => WEB_PIXEL.test(url)))
    return { kind: 'web_pixel', url: shown(urls[0] ?? target.url), id: null };
  for (const url of urls) {
    const id = /\/(?:gtm\.js|gtag\/js)\?(?:.*&)?id=([\w-]{1,30})/.exec(url)?.[1];
    if (id) return { kind: 'container', url: shown(url), id };
  }
  // The last script in the stack called the others, such as a vendor's library.
  const caller = urls.at(-1);
  return { kind: 'page', url: caller === undefined || caller === documentURL ? null : shown(caller), id: null };
}

const MAX_URL = 200;

const shown = (url: string): string => url.slice(0, MAX_URL);
