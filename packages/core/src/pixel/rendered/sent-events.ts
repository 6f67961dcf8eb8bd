import { VENDOR_NAMES } from '../model/vendor.ts';
import type { Phase, RecordedBeacon, RenderedPage, VisitStep } from './rendered-page.ts';

const PHASES: Readonly<Record<Phase, string>> = {
  load: 'before the visitor made a choice',
  deny: 'after the visitor declined tracking',
  accept: 'after the visitor accepted tracking',
};

const STEPS: Readonly<Record<VisitStep, string>> = {
  page: '',
  product: ' on the product page',
  add_to_cart: ' when the visitor added a product to the cart',
  cart: ' on the cart page',
  search: ' on the search page',
};

/** Returns when and where a beacon was sent, as the end of a sentence. */
export const whenSent = ({ phase, step }: Pick<RecordedBeacon, 'phase' | 'step'>): string =>
  `${STEPS[step]} ${PHASES[phase]}`.trim();

/** Returns a name for a beacon, such as "the PageView event for Meta ID 123". */
export const eventName = ({ vendor, event, id }: RecordedBeacon): string =>
  `${event === null ? 'an event' : `the ${event} event`} for ${VENDOR_NAMES[vendor]}${id === null ? '' : ` ID ${id}`}`;

/** Returns a name for the code that sent a beacon. */
export const senderName = ({ initiator: { kind, id } }: RecordedBeacon): string =>
  ({
    page: 'the page',
    container: `${id?.startsWith('GTM-') ? 'container' : 'the Google tag'} ${id}`,
    web_pixel: 'a web pixel',
    unknown: 'an unknown script',
  })[kind];

/** Returns whether a beacon was sent before the visitor accepted tracking and doesn't report denied consent. */
export const ignoresChoice = ({ phase, consent }: RecordedBeacon): boolean =>
  phase !== 'accept' && consent.purposes.ad_storage !== 'denied' && consent.purposes.analytics_storage !== 'denied';

/** Returns whether the visitor's refusal was recorded. If not, the `deny` phase is a page view without a choice. */
export const isDeclined = ({ phases }: Pick<RenderedPage, 'phases'>): boolean =>
  phases.some(({ phase, decision }) => phase === 'deny' && decision !== 'none');

/** Returns whether a step was recorded completely and its phase's consent choice, if any, was made. */
export const isComplete = ({ phases }: Pick<RenderedPage, 'phases'>, phase: Phase, step: VisitStep): boolean =>
  phases.some(each => each.phase === phase && each.step === step && each.complete && each.decision !== 'none');

/** Two beacons that report the same event in the same page view. */
export interface EventPair {
  readonly first: RecordedBeacon;
  readonly second: RecordedBeacon;
}

/**
 * Returns whether two beacons with the same event mean that the event was sent twice. X sends each event to two hosts,
 * Google Ads sends each event to several paths, and Google Analytics reports engagement time whenever the page is
 * hidden.
 */
export const isCountable = ({ vendor, product, event }: RecordedBeacon): boolean =>
  vendor !== 'x' && product !== 'google_ads' && event !== 'user_engagement';

const isSameSender = ({ initiator: one }: RecordedBeacon, { initiator: other }: RecordedBeacon): boolean =>
  one.kind === other.kind && one.url === other.url && one.id === other.id;

const isSameData = ({ parameters: one }: RecordedBeacon, { parameters: other }: RecordedBeacon): boolean =>
  JSON.stringify([...one.values]) === JSON.stringify([...other.values]);

/** Returns each beacon that repeats an event in the same page view and step, with the event's first beacon. */
function samePairs(beacons: readonly RecordedBeacon[]): EventPair[] {
  return beacons.flatMap((second, index) => {
    const first = beacons.slice(0, index).find(
      before =>
        before.view === second.view &&
        before.step === second.step &&
        before.product === second.product &&
        before.vendor === second.vendor &&
        before.id === second.id &&
        before.event === second.event &&
        isCountable(second) &&
        // A sender can report an event several times with different data, such as a view of each list on the page.
        (!isSameSender(before, second) || isSameData(before, second)),
    );
    return first ? [{ first, second }] : [];
  });
}

const isShared = ({ first, second }: EventPair): boolean =>
  first.event_id !== null && first.event_id === second.event_id;

/** Returns the events that a vendor counts twice because the beacons don't share an event ID. */
export const repeatedEvents = (beacons: readonly RecordedBeacon[]): EventPair[] =>
  samePairs(beacons).filter(pair => !isShared(pair));

/**
 * Describes a duplicate event and its senders.
 *
 * @example
 * repeatedMessage(pair)
 * // 'The browser sent the PageView event for … more than once per page view, each time from the page.'
 */
export function repeatedMessage({ first, second }: EventPair): string {
  const [one, other] = [senderName(first), senderName(second)];
  const senders = one === other ? `each time from ${one}` : `from ${one} and from ${other}`;
  return `The browser sent ${eventName(first)} more than once per page view, ${senders}.`;
}

/** Returns the repeated events that a vendor counts only once because the beacons share an event ID. */
export const deduplicatedEvents = (beacons: readonly RecordedBeacon[]): EventPair[] =>
  samePairs(beacons).filter(isShared);
