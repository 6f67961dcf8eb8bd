import { VIOLATION_MESSAGES } from '../event-contracts/check-event.ts';
import { formatMessage, type MessageLanguage, type ReportedMessage } from '../model/message.ts';

/**
 * Messages about a rendering, by ID: reasons for verdicts, problems that only the traffic shows, and unrecorded parts
 * of the visit. `sent` is an event such as "the PageView event for Meta ID 123".
 */
export const RENDERING_MESSAGES = {
  sent: 'The browser sent {sent}.',
  sent_when: 'The browser sent {sent} {when}.',
  sent_after_acceptance: 'The browser sent {sent} only after the visitor accepted tracking.',
  consent_unseen: 'The recording doesn’t show whether this tag waits for consent.',
  signal_missing: 'The browser sent {sent} without a consent signal {when}.',
  signal_sent: 'The browser sent {sent} with a consent signal {when}.',
  signal_unseen: 'The browser didn’t send an event to Google before the visitor accepted or declined tracking.',
  sent_once: 'The browser sent {sent} once per page view.',
  repeat_unseen: 'At least one tag in this finding didn’t send an event that could be checked for duplicates.',
  repeated_by_one: 'The browser sent {sent} more than once per page view, each time {sender}.',
  repeated_by_two: 'The browser sent {sent} more than once per page view, {first} and {second}.',
  deduplicated: 'The browser sent {sent} twice, but with the same event ID.',
  second_sender_unseen: 'The browser didn’t send the same event from both tags.',
  nothing_sent: 'The browser didn’t send an event for this tag, but that alone doesn’t confirm the problem.',
  id_unseen: 'The browser didn’t send an event with this ID during the recording.',
  universal_sent: 'The browser sent {sent} to Universal Analytics.',
  universal_unseen: 'The browser sent nothing to Universal Analytics.',
  event_unseen: 'The browser didn’t send this event during the recording.',
  purchase_sent: 'The browser sent {sent} {when}, although the visitor didn’t buy anything.',
  purchase_unseen: 'The browser didn’t send a purchase or conversion event during the recording.',
  several_ids_sent: 'The browser sent events for {ids}.',
  several_ids_unseen: 'The browser sent events for at most one of these IDs.',
  page_view_missing: 'The browser sent {sent}, but it didn’t send a page view.',
  page_view_unseen: 'The browser didn’t send an event for this pixel.',
  event_id_missing: 'The browser sent {sent} without an event ID {when}.',
  event_id_sent: 'The browser sent {sent} with an event ID.',
  data_invalid: 'The browser sent {sent} with invalid data {when}.',
  data_valid: 'The browser sent {sent} with valid data.',
  data_unseen: 'The recording doesn’t show whether this event’s data is valid.',
  never_in_traffic: 'This problem can’t be observed in network traffic.',

  missing: `The browser sent {sent} {when}. ${VIOLATION_MESSAGES.missing}`,
  empty: `The browser sent {sent} {when}. ${VIOLATION_MESSAGES.empty}`,
  not_a_number: `The browser sent {sent} {when}. ${VIOLATION_MESSAGES.not_a_number}`,
  not_a_currency: `The browser sent {sent} {when}. ${VIOLATION_MESSAGES.not_a_currency}`,
  not_items: `The browser sent {sent} {when}. ${VIOLATION_MESSAGES.not_items}`,
  item_without_id: `The browser sent {sent} {when}. ${VIOLATION_MESSAGES.item_without_id}`,
  not_recommended: `The browser sent {sent} {when}. ${VIOLATION_MESSAGES.not_recommended}`,
  not_standard:
    'The browser sent {sent} {when}. {event} isn’t a standard event. The most similar standard event is {nearest}.',
  server_duplicate:
    'The browser sent {sent} without an event ID {when}. According to the page, Shopify’s server also sends events for this ID, so Meta might count the event twice.',
  unknown_tag: 'The browser sent {sent}, but the page’s code doesn’t contain this ID.',
  id_replaced:
    'The page’s code contains ID {expected}, but the browser sent no events for that ID. Instead, it sent {sent}.',
  id_changed: 'The ID changed: the browser sent {other} {before} and {sent} {when}.',
  missing_event: 'The browser sent {sent}, but it didn’t send the {event} event {when}.',
  policy_blocked_request: 'The page’s content security policy blocked a request to {vendor}: {url}',
  policy_blocked_event: 'The page’s content security policy blocked the {event} event to {vendor}: {url}',
  host_unresolved: 'A request to {vendor} failed, because the requested host doesn’t exist: {url}',
  request_failed: 'A request to {vendor} failed with status {status}: {url}',

  steps_blocked:
    'These steps weren’t recorded, because robots.txt disallows them: {steps}. Shopify’s default robots.txt file blocks the cart and search pages. To allow these steps in your own shop, edit robots.txt.liquid.',
  steps_incomplete:
    'Events might be missing from these steps, because the page failed to load or was still sending requests: {steps}.',
  choice_unseen:
    'The effect of a consent choice wasn’t recorded, because the scan couldn’t accept or decline tracking through a consent banner or Shopify’s Customer Privacy API. The scan doesn’t recognize banners in iframes from other sites.',
  tags_unscanned: 'Other pages in the journey, whose code wasn’t scanned, sent events for these tags: {tags}.',
  more_tags_unscanned:
    'Other pages in the journey, whose code wasn’t scanned, sent events for these and other tags: {tags}.',
} as const;

/** A message about a rendering, with its values. */
export type RenderingMessage = ReportedMessage<typeof RENDERING_MESSAGES>;

/** Strings about renderings in one language. A missing string is shown in English. */
export interface RenderingTranslation extends MessageLanguage {
  readonly rendering?: {
    readonly messages: Readonly<Partial<Record<string, string>>>;
    /** Titles and fixes by traffic problem code. */
    readonly problems: Readonly<Partial<Record<string, { readonly title: string; readonly fix: string }>>>;
  };
}

/**
 * Formats a message about a rendering, in English if `translation` is null or lacks the message.
 *
 * @example formatRendering({ message: 'event_unseen' }, null) // 'The browser didn’t send this event …'
 */
export function formatRendering(
  { message, values }: RenderingMessage,
  translation: RenderingTranslation | null,
): string {
  const own = translation?.rendering?.messages[message];
  return translation && own !== undefined
    ? formatMessage(own, values, translation)
    : formatMessage(RENDERING_MESSAGES[message], values);
}
