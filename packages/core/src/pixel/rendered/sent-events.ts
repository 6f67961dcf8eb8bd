import { formatTerm, type MessageTerm, term } from '../model/message.ts';
import { vendorName } from '../model/vendor.ts';
import type { RenderingMessage } from './messages.ts';
import type { Phase, RecordedBeacon, RenderedPage, VisitStep } from './rendered-page.ts';

/** Returns a phrase that states when and where a beacon was sent, for use at the end of a sentence. */
export const whenSent = ({ phase, step }: Pick<RecordedBeacon, 'phase' | 'step'>): MessageTerm =>
  step === 'page'
    ? term(`when_${phase}`)
    : term('when_at_step', { step: term(`at_${step}`), phase: term(`when_${phase}`) });

/** Returns a name for a beacon, such as "the PageView event for Meta ID 123", for use as the object of a sentence. */
export function eventName({ vendor: code, event, id }: RecordedBeacon): MessageTerm {
  const vendor = vendorName(code);
  if (event === null)
    return id === null ? term('sent_unnamed_event', { vendor }) : term('sent_unnamed_event_with_id', { vendor, id });
  return id === null
    ? term('sent_named_event', { event, vendor })
    : term('sent_named_event_with_id', { event, vendor, id });
}

/** Returns a phrase for the code that sent a beacon, such as "from the page". */
export function senderName({ initiator: { kind, id } }: RecordedBeacon): MessageTerm {
  if (kind !== 'container') return term(`from_${kind}`);
  return term(id?.startsWith('GTM-') ? 'from_container' : 'from_google_tag', { id: `${id}` });
}

/** Returns whether a beacon that doesn't report denied consent was sent before the visitor accepted tracking. */
export const ignoresChoice = ({ phase, consent }: RecordedBeacon): boolean =>
  phase !== 'accept' && consent.purposes.ad_storage !== 'denied' && consent.purposes.analytics_storage !== 'denied';

/**
 * Returns whether the visitor's refusal was recorded. If not, the `deny` phase is a page view without a consent choice.
 */
export const isDeclined = ({ phases }: Pick<RenderedPage, 'phases'>): boolean =>
  phases.some(({ phase, decision }) => phase === 'deny' && decision !== 'none');

/** Returns whether a step was recorded completely and the consent choice for its phase (if there is one) was made. */
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

/**
 * Returns each beacon that repeats an event in the same page view and step, paired with the first beacon for that
 * event.
 */
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
        // A sender can report an event several times with different data, such as one list view for each list on the
        // page.
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

/** Describes a duplicate event and its senders. */
export function repeatedMessage({ first, second }: EventPair): RenderingMessage {
  const sent = eventName(first);
  const [sender, other] = [senderName(first), senderName(second)];
  return formatTerm(sender) === formatTerm(other)
    ? { message: 'repeated_by_one', values: { sent, sender } }
    : { message: 'repeated_by_two', values: { sent, first: sender, second: other } };
}

/** Returns the repeated events that a vendor counts only once because the beacons share an event ID. */
export const deduplicatedEvents = (beacons: readonly RecordedBeacon[]): EventPair[] =>
  samePairs(beacons).filter(isShared);
