import { AD_PIXELS } from '../ad-pixels/ad-pixels.ts';
import { checkEvent, violationMessage } from '../event-contracts/check-event.ts';
import {
  type EventContract,
  ga4Contract,
  metaContract,
  pinterestContract,
  tiktokContract,
} from '../event-contracts/contracts.ts';
import { isMisspelling } from '../event-contracts/is-misspelling.ts';
import { nearestName, normalizeName } from '../event-contracts/nearest-name.ts';
import type { Vendor } from '../model/vendor.ts';
import type { RenderingMessage } from './messages.ts';
import type { JourneyStep, RecordedBeacon, RenderedPage } from './rendered-page.ts';
import { eventName, whenSent } from './sent-events.ts';

/** Events that a vendor documents for each step of a journey. A step is expected to send at least one of its events. */
interface ExpectedEvents {
  readonly product: RecordedBeacon['product'];
  readonly vendor: Vendor;
  readonly steps: Readonly<Partial<Record<JourneyStep, readonly string[]>>>;
}

/**
 * Events that each step of a journey is expected to send, because shops might use them for ad campaigns. The names are
 * the vendors' standard event names. For their sources, see `event-contracts` and `ad-pixels`. Google Analytics
 * automatically reports searches as `view_search_results`: https://support.google.com/analytics/answer/9216061, checked
 * 2026-11-26.
 */
const EXPECTED: readonly ExpectedEvents[] = [
  {
    ...{ product: 'meta_pixel', vendor: 'meta' },
    steps: { product: ['ViewContent'], add_to_cart: ['AddToCart'], search: ['Search'] },
  },
  {
    ...{ product: 'ga4', vendor: 'google' },
    steps: {
      ...{ product: ['view_item'], add_to_cart: ['add_to_cart'], cart: ['view_cart'] },
      search: ['search', 'view_search_results'],
    },
  },
  {
    ...{ product: 'ad_pixel', vendor: 'tiktok' },
    steps: { product: ['ViewContent'], add_to_cart: ['AddToCart'], search: ['Search'] },
  },
  {
    ...{ product: 'ad_pixel', vendor: 'pinterest' },
    steps: { add_to_cart: ['AddToCart'], search: ['Search'] },
  },
  {
    ...{ product: 'ad_pixel', vendor: 'snapchat' },
    steps: { product: ['VIEW_CONTENT'], add_to_cart: ['ADD_CART'], search: ['SEARCH'] },
  },
];

/** An event that a step didn't send. */
export interface MissingEvent {
  /** An event that the same tag sent on the rendered page. */
  readonly beacon: RecordedBeacon;
  readonly step: JourneyStep;
  /** Name of the missing event. */
  readonly event: string;
}

/** Finds events that a tag was expected to send in a step but didn't, if the tag sent an event on the rendered page. */
export function missingEvents(page: RenderedPage): MissingEvent[] {
  const accepted = page.beacons.filter(({ phase }) => phase === 'accept');
  const working = accepted.filter(({ step }) => step === 'page');
  return EXPECTED.flatMap(({ product, vendor, steps }) =>
    working
      .filter(beacon => beacon.product === product && beacon.vendor === vendor)
      .flatMap(beacon =>
        (Object.entries(steps) as [JourneyStep, readonly string[]][])
          // If the page doesn't offer a way to accept tracking, its tags are still expected to work.
          .filter(([step]) => page.phases.some(each => each.phase === 'accept' && each.step === step && each.complete))
          .filter(
            ([step, events]) =>
              !accepted.some(sent => sent.id === beacon.id && sent.step === step && isOneOf(sent, events)),
          )
          .map(([step, [event]]) => ({ beacon, step, event: event! })),
      ),
  );
}

/**
 * Returns whether a beacon's event has one of several names, ignoring case and punctuation. Vendors' examples use
 * several spellings for some event names, such as `addtocart` and `AddToCart`.
 */
const isOneOf = ({ event }: RecordedBeacon, names: readonly string[]): boolean =>
  event !== null && names.some(name => normalizeName(name) === normalizeName(event));

/** Returns the contract for an event and the event's name in that contract. */
function contractOf({ vendor, product, event }: RecordedBeacon): { contract: EventContract; name: string } | null {
  if (event === null) return null;
  if (vendor === 'meta') return { contract: metaContract, name: event };
  if (product === 'ga4') return { contract: ga4Contract, name: event };
  if (vendor === 'tiktok') return { contract: tiktokContract, name: event };
  return vendor === 'pinterest' ? { contract: pinterestContract, name: normalizeName(event) } : null;
}

/**
 * Returns a message about the problem with an event, or `null` if the event is valid or has no contract. For
 * advertising vendors with standard events, a misspelled event name also counts as a problem.
 *
 * @example eventProblem(beacon)?.message // 'not_a_number'
 */
export function eventProblem(beacon: RecordedBeacon): RenderingMessage | null {
  const { event, vendor, parameters } = beacon;
  if (event === null) return null;
  const about = { sent: eventName(beacon), when: whenSent(beacon) };
  const found = contractOf(beacon);
  const [violation] = found ? checkEvent(found.contract, found.name, parameters) : [];
  if (violation) {
    const { message, values } = violationMessage(event, violation);
    return { message, values: { ...about, ...values } } as RenderingMessage;
  }
  const standard = AD_PIXELS.find(pixel => pixel.vendor === vendor)?.events;
  if (standard?.kind !== 'names') return null;
  const nearest = nearestName(event, standard.names);
  if (nearest === null || !isMisspelling(event, nearest, standard)) return null;
  return { message: 'not_standard', values: { ...about, event, nearest } };
}
