import type { Where } from '../model/observation.ts';
import { type Vendor, vendorName } from '../model/vendor.ts';
import type { ScanResult } from '../scan/scan.ts';
import { eventProblem, missingEvents } from './expected-events.ts';
import { idDrift, unknownTags } from './known-tags.ts';
import { formatRendering, type RenderingMessage, type RenderingTranslation } from './messages.ts';
import type { BeaconInitiator, RecordedBeacon, RenderedPage } from './rendered-page.ts';
import { senderLocation, wholePage } from './sender-location.ts';
import { eventName, ignoresChoice, isDeclined, repeatedEvents, repeatedMessage, whenSent } from './sent-events.ts';

/** Kind of problem that only the traffic shows. */
export type TrafficCode = keyof typeof TRAFFIC_PROBLEMS;

/** A problem that's visible only in the recorded traffic. */
export interface TrafficFinding {
  readonly code: TrafficCode;
  readonly severity: 'warn' | 'info';
  readonly vendor: Vendor;
  readonly id: string | null;
  /** Name of the affected event, or `null` if the problem doesn't concern a single event. */
  readonly event: string | null;
  readonly message: string;
  /** How to fix the problem. */
  readonly fix: string;
  /**
   * The code to change: the line that sent the event, or the tag in a container. If the code is unknown, the location
   * is the whole page.
   */
  readonly where: Where;
  /** Code that sent the same event again, if the problem is a duplicate. */
  readonly related: readonly Where[];
  /** The code that sent the event, according to the browser, or `null` if there is no event. */
  readonly initiator: BeaconInitiator | null;
}

/**
 * Title, severity, and fix for each kind of problem. Whether a tag can send events before the visitor accepts or
 * declines tracking depends on the visitor's region.
 *
 * Source for event IDs:
 * https://developers.facebook.com/docs/marketing-api/conversions-api/deduplicate-pixel-and-server-events
 */
export const TRAFFIC_PROBLEMS = {
  sent_after_denial: {
    title: 'Event sent after the visitor declined tracking',
    severity: 'warn',
    fix: 'Run the tag only after the visitor accepts tracking, for example in a listener for Shopify’s visitorConsentCollected event.',
  },
  sent_before_choice: {
    title: 'Event sent before the visitor accepted or declined tracking',
    severity: 'info',
    fix: 'If your visitors’ region requires consent, run the tag only after the visitor accepts tracking.',
  },
  unknown_tag: {
    title: 'Tag that isn’t in the page’s code',
    severity: 'info',
    fix: 'Find out which app or script adds the tag. If the tag isn’t needed, remove it.',
  },
  id_drift: {
    title: 'Events with an unexpected ID',
    severity: 'warn',
    fix: 'Use the same ID everywhere, and remove the tag with the wrong ID.',
  },
  duplicate_event: {
    title: 'Event sent more than once',
    severity: 'warn',
    fix: 'Remove one of the tags, or send the same event ID from both.',
  },
  server_duplicate: {
    title: 'Missing event ID for an event that Shopify’s server also sends',
    severity: 'warn',
    fix: 'If the Facebook & Instagram app already sends the event, remove your own code for the event. Otherwise, send the server event’s ID as eventID.',
  },
  invalid_event_data: {
    title: 'Event with missing or invalid data',
    severity: 'warn',
    fix: 'Correct the event’s name and parameters in the code that sends the event.',
  },
  missing_event: {
    title: 'Event missing from the journey',
    severity: 'info',
    fix: 'If your campaigns use the event, send it in this step.',
  },
  blocked_by_policy: {
    title: 'Tag blocked by the page’s content security policy',
    severity: 'warn',
    fix: 'Add the vendor’s hosts to the page’s content security policy, or remove the tag.',
  },
  dead_request: {
    title: 'Failed request to a vendor',
    severity: 'warn',
    fix: 'Remove the request, or replace it with the vendor’s current tag.',
  },
} as const;

/** Returns whether a string is the code of a problem that can be detected only in network traffic. */
export const isTrafficCode = (code: string): code is TrafficCode => Object.hasOwn(TRAFFIC_PROBLEMS, code);

/** Returns the title and fix for a kind of problem, in English if `translation` is null or lacks them. */
export const trafficProblem = (
  code: TrafficCode,
  translation: RenderingTranslation | null,
): { readonly title: string; readonly fix: string } => translation?.rendering?.problems[code] ?? TRAFFIC_PROBLEMS[code];

/** Static scan results to compare with the traffic. */
export type ComparedScan = Pick<ScanResult, 'inventory' | 'container_events' | 'server_events'>;

/**
 * Returns the problems that only the traffic from a rendering can reveal. Each kind of problem is reported at most once
 * per tag, or once per tag and event name for missing or invalid events.
 *
 * @param translation language of the messages and fixes; null for English
 */
export function trafficFindings(
  page: RenderedPage,
  scanned: ComparedScan,
  translation: RenderingTranslation | null = null,
): TrafficFinding[] {
  const found = new Map<string, TrafficFinding>();
  const add = (
    code: TrafficCode,
    about: Pick<TrafficFinding, 'vendor' | 'id' | 'event'>,
    reason: RenderingMessage,
    rest: Partial<Pick<TrafficFinding, 'where' | 'related' | 'initiator'>> = {},
  ) => {
    const { vendor, id, event } = about;
    const key = JSON.stringify([code, vendor, id, BY_EVENT.has(code) ? event : null]);
    const { severity } = TRAFFIC_PROBLEMS[code];
    const { fix } = trafficProblem(code, translation);
    const message = formatRendering(reason, translation);
    const place = { where: wholePage(page), related: [], initiator: null };
    if (!found.has(key)) found.set(key, { ...{ code, severity, vendor, id, event, message, fix }, ...place, ...rest });
  };
  const locate = (beacon: RecordedBeacon) => senderLocation(beacon, page, scanned.container_events ?? []);
  const addSent = (
    code: TrafficCode,
    beacon: RecordedBeacon,
    reason: RenderingMessage,
    related: readonly Where[] = [],
  ) => add(code, beacon, reason, { where: locate(beacon), related, initiator: beacon.initiator });

  const declined = isDeclined(page);
  const serverIds = new Set(scanned.server_events);
  const drift = idDrift(page, scanned.inventory);
  const replaced = new Set(drift.flatMap(({ beacon, other }) => (other === null ? [beacon.id] : [])));
  // Engagement time from before a consent choice can be sent afterward, so other events are better evidence.
  const isEngagement = ({ event }: RecordedBeacon) => Number(event === 'user_engagement');
  for (const beacon of [...page.beacons].sort((one, other) => isEngagement(one) - isEngagement(other))) {
    const [sent, when] = [eventName(beacon), whenSent(beacon)];
    if (ignoresChoice(beacon) && (beacon.phase === 'load' || declined))
      addSent(beacon.phase === 'deny' ? 'sent_after_denial' : 'sent_before_choice', beacon, {
        message: 'sent_when',
        values: { sent, when },
      });
    const problem = eventProblem(beacon);
    if (problem !== null) addSent('invalid_event_data', beacon, problem);
    if (isServerDuplicate(beacon, serverIds))
      addSent('server_duplicate', beacon, { message: 'server_duplicate', values: { sent, when } });
  }
  for (const beacon of unknownTags(page, scanned.inventory))
    if (!replaced.has(beacon.id))
      addSent('unknown_tag', beacon, { message: 'unknown_tag', values: { sent: eventName(beacon) } });
  for (const { beacon, expected, other } of drift) {
    const sent = eventName(beacon);
    if (other === null) addSent('id_drift', beacon, { message: 'id_replaced', values: { expected, sent } });
    else
      addSent(
        'id_drift',
        beacon,
        {
          message: 'id_changed',
          values: { other: eventName(other), before: whenSent(other), sent, when: whenSent(beacon) },
        },
        [locate(other)],
      );
  }
  for (const pair of repeatedEvents(page.beacons))
    addSent('duplicate_event', pair.first, repeatedMessage(pair), [locate(pair.second)]);
  for (const { beacon, step, event } of missingEvents(page)) {
    const { vendor, id } = beacon;
    const values = { sent: eventName(beacon), event, when: whenSent({ phase: 'accept', step }) };
    add('missing_event', { vendor, id, event }, { message: 'missing_event', values }, { where: locate(beacon) });
  }
  for (const { vendor: code, url, event, reason, status } of page.failures) {
    const about = { vendor: code, id: null, event };
    const vendor = vendorName(code);
    if (reason === 'policy')
      add(
        'blocked_by_policy',
        about,
        event === null
          ? { message: 'policy_blocked_request', values: { vendor, url } }
          : { message: 'policy_blocked_event', values: { event, vendor, url } },
      );
    else if (reason === 'unresolved')
      add('dead_request', about, { message: 'host_unresolved', values: { vendor, url } });
    else add('dead_request', about, { message: 'request_failed', values: { vendor, status: `${status}`, url } });
  }
  return [...found.values()];
}

/** Kinds of problems that are reported once per tag and event name. */
const BY_EVENT: ReadonlySet<TrafficCode> = new Set(['missing_event', 'invalid_event_data']);

/**
 * Shop events that Shopify's Facebook & Instagram app sends. Like the `meta_pixel_missing_event_id` rule, the list
 * omits page views.
 */
const SERVER_EVENTS: ReadonlySet<string> = new Set([
  ...['ViewContent', 'Search', 'AddToCart', 'InitiateCheckout', 'AddPaymentInfo', 'Purchase'],
]);

const isServerDuplicate = (
  { product, id, event, event_id, initiator }: RecordedBeacon,
  serverIds: ReadonlySet<string>,
): boolean =>
  product === 'meta_pixel' &&
  initiator.kind !== 'web_pixel' &&
  event_id === null &&
  id !== null &&
  serverIds.has(id) &&
  event !== null &&
  SERVER_EVENTS.has(event);
