import type { Beacon } from '../beacons/beacon.ts';

/** Phase of a visit: before the visitor makes a choice about tracking, after declining, or after accepting. */
export type Phase = 'load' | 'deny' | 'accept';

/**
 * How the visitor's choice was made: through Shopify's Customer Privacy API (`shopify`), or not at all, because the
 * page doesn't have the API or the call failed (`none`).
 */
export type ConsentDecision = 'shopify' | 'none';

/** The code that sent a beacon, according to the browser. */
export interface BeaconInitiator {
  /** `container` is a Tag Manager container or a Google tag, and `web_pixel` is a frame or worker for Shopify's web pixels. */
  readonly kind: 'page' | 'container' | 'web_pixel' | 'unknown';
  /** The script's URL, or `null` if the code is in the page itself or unknown. */
  readonly url: string | null;
  /** The container's ID. */
  readonly id: string | null;
}

/** A beacon with its context in a visit. */
export interface RecordedBeacon extends Beacon {
  readonly phase: Phase;
  /** Time since the phase started, in milliseconds. */
  readonly ms: number;
  /** Number of the page view in the visit, starting with 1. */
  readonly view: number;
  /** Whether the browser held the request back. If not, the request left the browser, and only the proxy could refuse it. */
  readonly intercepted: boolean;
  readonly initiator: BeaconInitiator;
}

/** One phase of a visit. */
export interface PhaseRecord {
  readonly phase: Phase;
  /** How the choice that started the phase was made, or `null` for the first phase, which starts without a choice. */
  readonly decision: ConsentDecision | null;
  /** Whether the page loaded and became quiet before the phase ended. If not, the recording might lack beacons. */
  readonly complete: boolean;
  readonly requests: number;
  /** Names of the cookies at the end of the phase, with their domains. */
  readonly cookies: readonly { readonly name: string; readonly domain: string }[];
}

/** Recording of a page's beacons in a browser. Every string comes from the page, so escape it for display. */
export interface RenderedPage {
  readonly url: string;
  readonly phases: readonly PhaseRecord[];
  readonly beacons: readonly RecordedBeacon[];
  /** Whether vendors' scripts were replaced with stubs, because the page is a saved copy. */
  readonly stubbed: boolean;
  /** Why the visit ended early, or `null` if it's complete. */
  readonly cut: 'memory' | 'processes' | 'time' | 'requests' | 'crash' | null;
}
