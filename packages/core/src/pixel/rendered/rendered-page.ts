import type { Beacon } from '../beacons/beacon.ts';
import type { FailedRequest } from './failed-request.ts';

/** Phase of a visit: before the visitor makes a consent choice, after declining, or after accepting. */
export type Phase = 'load' | 'deny' | 'accept';

/**
 * Step of a visit. `page` is the rendered page itself. The other steps form a journey through the shop after the
 * renderer tries to accept or decline tracking.
 */
export type VisitStep = 'page' | JourneyStep;

/** Step of a journey through a shop. */
export type JourneyStep = 'product' | 'add_to_cart' | 'cart' | 'search';

/** Steps of a journey, in the order of a visit. */
export const JOURNEY_STEPS = ['product', 'add_to_cart', 'cart', 'search'] as const satisfies readonly JourneyStep[];

/**
 * Reason that a journey step was skipped.
 *
 * - `not_found`: the shop's pages don't link to a product, or the product page has no usable button.
 * - `robots`: the site's robots.txt file doesn't allow the step's URL.
 * - `personal_data`: the product form asks for personal data.
 * - `saved`: the page is a saved copy without other pages.
 */
export type SkippedStep = 'not_found' | 'robots' | 'personal_data' | 'saved';

/**
 * How the visitor's consent choice was made: in a consent banner that the renderer recognizes (`banner`), through
 * Shopify's Customer Privacy API (`shopify`), or not at all, because the page has neither or the attempt failed
 * (`none`).
 */
export type ConsentDecision = 'banner' | 'shopify' | 'none';

/** The code that sent a beacon, according to the browser. */
export interface BeaconInitiator {
  /**
   * `container` is a Tag Manager container or a Google tag, and `web_pixel` is a frame or worker for Shopify's web
   * pixels.
   */
  readonly kind: 'page' | 'container' | 'web_pixel' | 'unknown';
  /** The script's URL, or `null` if the code is in the page itself or unknown. */
  readonly url: string | null;
  /** The container's ID. */
  readonly id: string | null;
  /**
   * Position of the call in the script or in the page's HTML, starting at 1, or `null` if it's unknown. If a vendor's
   * library sent the event for an earlier call to its queue, such as a call to `fbq` or `gtag`, this is the
   * position of the earlier call.
   */
  readonly line: number | null;
  readonly column: number | null;
}

/** A beacon with its context in a visit. */
export interface RecordedBeacon extends Beacon {
  readonly phase: Phase;
  readonly step: VisitStep;
  /** Time since the step started, in milliseconds. */
  readonly ms: number;
  /** Number of the page view in the visit, starting with 1. */
  readonly view: number;
  /**
   * Whether the request was intercepted in the browser. If it wasn't intercepted, only the proxy could have blocked it.
   */
  readonly intercepted: boolean;
  readonly initiator: BeaconInitiator;
}

/** A call to a vendor's queue, such as `fbq('track', 'PageView')`, or an entry in a data layer. */
export interface QueueCall {
  readonly phase: Phase;
  readonly step: VisitStep;
  readonly ms: number;
  readonly view: number;
  /** Queue variable, such as `fbq` or `dataLayer`. */
  readonly queue: string;
  /** First argument, such as `track`, or a data layer entry's event. `null` if it isn't text. */
  readonly command: string | null;
  /** Second argument, such as an event or an ID. `null` if it isn't text. */
  readonly name: string | null;
  /** The event's text, number, and Boolean parameters, converted to text. They never contain personal data. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether the call was made in a frame rather than in the page itself. */
  readonly framed: boolean;
  /** The code that made the call. */
  readonly initiator: BeaconInitiator;
}

/** A failed request to a vendor, with its position in a visit. */
export interface StepFailure extends FailedRequest {
  readonly phase: Phase;
  readonly step: VisitStep;
}

/** One step of a visit in one phase. */
export interface PhaseRecord {
  readonly phase: Phase;
  readonly step: VisitStep;
  /** The page's URL at the end of the step, or `null` if the step was skipped. */
  readonly url: string | null;
  /**
   * How the visitor's consent choice was made at the start of the phase, or `null` for the first phase, which has no
   * choice.
   */
  readonly decision: ConsentDecision | null;
  /** Name of the consent banner, such as `onetrust`, or `null` if the choice wasn't made in a banner. */
  readonly banner: string | null;
  /** Reason that the step was skipped, or `null` if it was recorded. */
  readonly skipped: SkippedStep | null;
  /**
   * Whether the page loaded and stopped sending requests before the step ended. If it didn't, some beacons might be
   * missing from the recording.
   */
  readonly complete: boolean;
  readonly requests: number;
  /** Names of the cookies at the end of the step, with their domains. */
  readonly cookies: readonly { readonly name: string; readonly domain: string }[];
  /** Keys in the page's local storage and session storage at the end of the step. */
  readonly storage: readonly string[];
}

/** Browser recording of a page's beacons. Every string comes from the page, so escape it for display. */
export interface RenderedPage {
  readonly url: string;
  readonly phases: readonly PhaseRecord[];
  readonly beacons: readonly RecordedBeacon[];
  readonly calls: readonly QueueCall[];
  /** Failed requests to vendors. */
  readonly failures: readonly StepFailure[];
  /** Whether vendors' scripts were replaced with stubs because the page is a saved copy. */
  readonly stubbed: boolean;
  /** Reason that the visit ended early, or `null` if it's complete. */
  readonly cut: 'memory' | 'processes' | 'time' | 'requests' | 'crash' | null;
}
