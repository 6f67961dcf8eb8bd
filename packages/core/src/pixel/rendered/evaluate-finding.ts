import { checkEvent } from '../event-contracts/check-event.ts';
import { type EventContract, ga4Contract, metaContract } from '../event-contracts/contracts.ts';
import type { Finding } from '../model/finding.ts';
import type { Vendor } from '../model/vendor.ts';
import { formatRendering, type RenderingMessage, type RenderingTranslation } from './messages.ts';
import type { BeaconInitiator, RecordedBeacon, RenderedPage } from './rendered-page.ts';
import {
  deduplicatedEvents,
  type EventPair,
  eventName,
  ignoresChoice,
  isComplete,
  isCountable,
  isDeclined,
  repeatedEvents,
  repeatedMessage,
  whenSent,
} from './sent-events.ts';

/**
 * A rendering's verdict on a finding: the traffic shows the problem (`confirmed`), the traffic shows that the problem
 * doesn't occur (`refuted`), or the traffic neither confirms nor refutes the problem (`unseen`).
 */
export type RenderingVerdict = 'confirmed' | 'refuted' | 'unseen';

/** A verdict and a sentence that gives the reason for it. */
export interface Evaluation {
  readonly verdict: RenderingVerdict;
  readonly evidence: string;
}

/** A verdict and the reason for it, not yet formatted. */
interface Conclusion {
  readonly verdict: RenderingVerdict;
  readonly reason: RenderingMessage;
}

/** The fields of a finding that its evaluation depends on. */
type EvaluatedFinding = Pick<Finding, 'rule_id' | 'ids' | 'message_values'>;

/** Evaluates a finding based on the beacons that its tags sent. */
type Evaluator = (finding: EvaluatedFinding, beacons: readonly RecordedBeacon[], page: RenderedPage) => Conclusion;

const confirmed = (reason: RenderingMessage): Conclusion => ({ verdict: 'confirmed', reason });
const refuted = (reason: RenderingMessage): Conclusion => ({ verdict: 'refuted', reason });
const unseen = (message: UnseenMessage): Conclusion => ({ verdict: 'unseen', reason: { message } });

/** IDs of messages about undecided findings. These messages don't have values. */
type UnseenMessage = Extract<RenderingMessage, { readonly values?: undefined }>['message'];

/** Messages whose only value is an event that the browser sent. */
type EventMessage =
  | 'sent'
  | 'sent_after_acceptance'
  | 'sent_once'
  | 'deduplicated'
  | 'universal_sent'
  | 'page_view_missing'
  | 'event_id_sent'
  | 'data_valid';

/** Messages whose values are an event and the time when the browser sent it. */
type TimedEventMessage =
  | 'sent_when'
  | 'signal_missing'
  | 'signal_sent'
  | 'purchase_sent'
  | 'event_id_missing'
  | 'data_invalid';

const withEvent = (message: EventMessage, beacon: RecordedBeacon): RenderingMessage => ({
  message,
  values: { sent: eventName(beacon) },
});

const withTimedEvent = (message: TimedEventMessage, beacon: RecordedBeacon): RenderingMessage => ({
  message,
  values: { sent: eventName(beacon), when: whenSent(beacon) },
});

/** Returns whether an ID in a finding belongs to a beacon's tag or to the container that sent the beacon. */
const isFrom = (
  id: string,
  { id: own, initiator }: Pick<RecordedBeacon, 'id'> & { readonly initiator: BeaconInitiator | null },
) => own === id || initiator?.id === id;

/** Returns whether the browser sent a beacon for every tag that a finding names. */
const coversAll = ({ ids }: EvaluatedFinding, beacons: readonly RecordedBeacon[]): boolean =>
  beacons.length > 0 && ids.every(id => beacons.some(beacon => isFrom(id, beacon)));

const evaluateConsent: Evaluator = (finding, beacons, page) => {
  const ignored = beacons.filter(beacon => ignoresChoice(beacon) && (beacon.phase === 'load' || isDeclined(page)));
  const refusals = ignored.filter(({ phase }) => phase === 'deny');
  // Engagement time measured before the consent choice can be sent afterward, so other events are better evidence.
  const early = refusals.find(isCountable) ?? refusals[0] ?? ignored[0];
  if (early) return confirmed(withTimedEvent('sent_when', early));
  const accepted = beacons.filter(({ phase }) => phase === 'accept');
  return coversAll(finding, accepted) && isComplete(page, 'load', 'page') && isComplete(page, 'deny', 'page')
    ? refuted(withEvent('sent_after_acceptance', accepted[0]!))
    : unseen('consent_unseen');
};

/** Evaluates whether Google's tags send a consent signal with their events. */
const evaluateConsentSignals: Evaluator = (_finding, beacons, page) => {
  const silent = beacons.find(({ consent }) => Object.keys(consent.purposes).length === 0);
  if (silent) return confirmed(withTimedEvent('signal_missing', silent));
  const early = beacons.find(({ phase }) => phase === 'load');
  return early && isComplete(page, 'load', 'page')
    ? refuted(withTimedEvent('signal_sent', early))
    : unseen('signal_unseen');
};

const twice = (
  beacons: readonly RecordedBeacon[],
  isRelevant: (pair: EventPair) => boolean = () => true,
): Conclusion | null => {
  const repeated = repeatedEvents(beacons).find(isRelevant);
  return repeated ? confirmed(repeatedMessage(repeated)) : null;
};

const evaluateDuplicate: Evaluator = (finding, beacons, page) => {
  const countable = beacons.filter(isCountable);
  // In an incomplete step, the second event might be missing.
  const complete = countable.filter(({ phase, step }) =>
    page.phases.some(each => each.phase === phase && each.step === step && each.complete),
  );
  return (
    twice(countable) ??
    (coversAll(finding, complete) ? refuted(withEvent('sent_once', complete[0]!)) : unseen('repeat_unseen'))
  );
};

/**
 * Evaluates a tag with two senders. Seeing an event from only one sender doesn't prove that the other sender never
 * sends it.
 */
const evaluateTwoSenders: Evaluator = ({ rule_id }, beacons) => {
  // Google's library sends events for both Google's app and the theme, so an event's initiator doesn't show which of
  // the two caused the event.
  const isRelevant = ({ first, second }: EventPair) =>
    rule_id !== 'meta_pixel_app_duplicate' || first.initiator.kind !== second.initiator.kind;
  const pair = deduplicatedEvents(beacons).find(isRelevant);
  return (
    twice(beacons, isRelevant) ??
    (pair ? refuted(withEvent('deduplicated', pair.first)) : unseen('second_sender_unseen'))
  );
};

const evaluateSilent: Evaluator = (finding, beacons) => {
  // If the finding doesn't name a tag, another of the vendor's tags might have sent the event, such as an app's tag.
  const sent = finding.ids.length > 0 ? beacons : beacons.filter(({ initiator }) => initiator.kind === 'page');
  return coversAll(finding, sent) ? refuted(withEvent('sent', sent[0]!)) : unseen('nothing_sent');
};

const evaluateSent: Evaluator = ({ ids }, [beacon]) =>
  beacon && ids.length > 0 ? confirmed(withTimedEvent('sent_when', beacon)) : unseen('id_unseen');

const evaluateUniversal: Evaluator = (_finding, beacons) => {
  const old = beacons.find(({ product }) => product === 'universal_analytics');
  return old ? confirmed(withEvent('universal_sent', old)) : unseen('universal_unseen');
};

const evaluateEventName: Evaluator = ({ ids }, beacons) => {
  const sent = beacons.find(({ event }) => event !== null && ids.includes(event));
  return sent ? confirmed(withTimedEvent('sent_when', sent)) : unseen('event_unseen');
};

const evaluatePurchase: Evaluator = (_finding, beacons) => {
  const sent = beacons.find(({ event }) => event === 'Purchase' || event === 'purchase' || event === 'conversion');
  return sent ? confirmed(withTimedEvent('purchase_sent', sent)) : unseen('purchase_unseen');
};

const evaluateSeveralIds: Evaluator = ({ ids }, beacons) => {
  const sent = ids.filter(id => beacons.some(beacon => beacon.id === id));
  return sent.length > 1
    ? confirmed({ message: 'several_ids_sent', values: { ids: sent.slice(0, 5) } })
    : unseen('several_ids_unseen');
};

const evaluatePageView: Evaluator = (finding, beacons, page) => {
  const views = beacons.filter(({ event }) => event === 'PageView');
  if (coversAll(finding, views)) return refuted(withTimedEvent('sent_when', views[0]!));
  const other = beacons.find(
    ({ phase, step, id }) => phase === 'accept' && step === 'page' && !views.some(view => view.id === id),
  );
  return other && isComplete(page, 'accept', 'page')
    ? confirmed(withEvent('page_view_missing', other))
    : unseen('page_view_unseen');
};

const evaluateEventId: Evaluator = ({ ids }, beacons) => {
  const sent = beacons.filter(({ event }) => event !== null && ids.includes(event));
  const without = sent.find(({ event_id }) => event_id === null);
  if (without) return confirmed(withTimedEvent('event_id_missing', without));
  return sent[0] ? refuted(withEvent('event_id_sent', sent[0])) : unseen('event_unseen');
};

/** Evaluates a finding about an event's data. The finding's IDs are the event name and the parameter name. */
const evaluateContent =
  (contract: EventContract): Evaluator =>
  ({ ids }, beacons) => {
    const sent = beacons.filter(({ event }) => event !== null && ids.includes(event));
    const problems = (beacon: RecordedBeacon) =>
      checkEvent(contract, beacon.event!, beacon.parameters).filter(({ parameter }) => ids.includes(parameter));
    const wrong = sent.find(beacon => problems(beacon).length > 0);
    if (wrong) return confirmed(withTimedEvent('data_invalid', wrong));
    return sent[0] && sent.every(({ parameters }) => parameters.complete === 'yes')
      ? refuted(withEvent('data_valid', sent[0]))
      : unseen('data_unseen');
  };

/** Evaluators by rule ID. A rule doesn't have an evaluator if traffic can't show the problem that the rule reports. */
const EVALUATORS: Readonly<Record<string, Evaluator>> = {
  shopify_consent_bypass: evaluateConsent,
  ad_pixel_without_consent: evaluateConsent,
  meta_pixel_consent_order: evaluateConsent,
  gtm_tag_without_consent: evaluateConsent,
  google_consent_default_missing: evaluateConsentSignals,
  google_consent_default_late: evaluateConsentSignals,
  meta_pixel_duplicate_init: evaluateDuplicate,
  ad_pixel_duplicate: evaluateDuplicate,
  google_tag_duplicate_config: evaluateDuplicate,
  gtm_duplicate_container: evaluateDuplicate,
  gtm_and_hardcoded_google_tag: evaluateDuplicate,
  meta_pixel_app_duplicate: evaluateTwoSenders,
  ga4_app_duplicate: evaluateTwoSenders,
  gtm_tag_duplicate: evaluateTwoSenders,
  google_tag_never_configured: evaluateSilent,
  google_tag_config_without_loader: evaluateSilent,
  meta_pixel_track_without_init: evaluateSilent,
  meta_pixel_noscript_only: evaluateSilent,
  ad_pixel_missing_base_code: evaluateSilent,
  meta_pixel_invalid_id: evaluateSent,
  ad_pixel_malformed_id: evaluateSent,
  google_placeholder_id: evaluateSent,
  ga_universal_id: evaluateUniversal,
  ga_analytics_js_legacy: evaluateUniversal,
  gtm_universal_analytics_tag: evaluateUniversal,
  meta_pixel_nonstandard_event: evaluateEventName,
  ga4_misspelled_event: evaluateEventName,
  ad_pixel_misspelled_event: evaluateEventName,
  purchase_event_on_ordinary_page: evaluatePurchase,
  meta_pixel_multiple_ids: evaluateSeveralIds,
  ga4_multiple_ids: evaluateSeveralIds,
  meta_pixel_missing_pageview: evaluatePageView,
  meta_pixel_missing_event_id: evaluateEventId,
  meta_pixel_invalid_event_data: evaluateContent(metaContract),
  ga4_invalid_event_data: evaluateContent(ga4Contract),
};

/** IDs of the rules whose findings traffic can confirm or refute. */
export const EVALUATED_RULES: readonly string[] = Object.keys(EVALUATORS);

/**
 * Evaluates a finding based on a rendering's beacons. A missing beacon refutes a finding only if the phase was recorded
 * completely and the same tag sent a beacon in another phase. Otherwise, the finding is unseen, because a missing
 * beacon doesn't prove that the tag has no problem.
 *
 * @param translation language of the evidence; null for English
 * @example evaluateFinding(finding, rendering).verdict // 'confirmed'
 */
export function evaluateFinding(
  finding: EvaluatedFinding,
  page: RenderedPage,
  translation: RenderingTranslation | null = null,
): Evaluation {
  const evaluate = Object.hasOwn(EVALUATORS, finding.rule_id)
    ? EVALUATORS[finding.rule_id]!
    : () => unseen('never_in_traffic');
  const beacons = page.beacons.filter(beacon => concerns(finding, beacon));
  const { verdict, reason } = evaluate(finding, beacons, page);
  return { verdict, evidence: formatRendering(reason, translation) };
}

/**
 * Returns whether a beacon or a traffic problem concerns a finding's tag or event. If the finding names neither a tag
 * nor an event, its rule determines the vendors that it applies to.
 *
 * @example concerns({ ids: ['AddToCart', 'value'], rule_id: 'meta_pixel_invalid_event_data' }, tiktokBeacon) // false
 */
export function concerns(
  finding: EvaluatedFinding,
  sent: Pick<RecordedBeacon, 'vendor' | 'id' | 'event'> & { readonly initiator: BeaconInitiator | null },
): boolean {
  const { ids, rule_id } = finding;
  const { vendor, id, event } = sent;
  if (!isVendorOf(finding, vendor)) return false;
  if (NAMES_EVENTS.test(rule_id)) return event !== null && ids.includes(event);
  if (ids.length > 0) return ids.some(each => isFrom(each, sent)) || (id === null && ids.includes(vendor));
  return rule_id.startsWith('gtm') ? vendor === 'google' : true;
}

/** Matches the IDs of rules whose findings refer to events instead of tags. */
const NAMES_EVENTS = /_(?:event_id|event_data|misspelled_event|nonstandard_event)$/;

/** Returns whether a finding can apply to a vendor. Several vendors use event names such as `AddToCart`. */
function isVendorOf({ rule_id, message_values }: EvaluatedFinding, vendor: Vendor): boolean {
  if (rule_id.startsWith('meta_')) return vendor === 'meta';
  if (/^(?:ga|google)/.test(rule_id)) return vendor === 'google';
  if (!rule_id.startsWith('ad_pixel')) return true;
  // The finding's message values identify the pixel by a term such as `ad_pixel_tiktok`.
  const pixel = message_values?.pixel;
  const named = typeof pixel === 'object' && 'term' in pixel ? pixel.term : null;
  return named === null ? vendor !== 'meta' && vendor !== 'google' : named === `ad_pixel_${vendor}`;
}
