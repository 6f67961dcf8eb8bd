import type { ContainerEvent } from '../model/container-event.ts';
import type { Where } from '../model/observation.ts';
import type { RecordedBeacon, RenderedPage } from './rendered-page.ts';

/** Returns the location for findings that concern a rendered page as a whole. */
export const wholePage = ({ url }: Pick<RenderedPage, 'url'>): Where => ({ source: 'page', line: 1, column: 1, url });

/**
 * Returns the location of the code that sent a beacon. If exactly one tag in a container sends the event, returns that
 * tag's location. Otherwise, returns the position that the browser reports, or line 1 and column 1 if the browser
 * doesn't report a position.
 *
 * @example
 * senderLocation(beacon, page, result.container_events)
 * // { source: 'container GTM-ABC1234, tag 3 (Custom HTML)', … }
 */
export function senderLocation(
  beacon: RecordedBeacon,
  page: Pick<RenderedPage, 'url' | 'phases'>,
  events: readonly ContainerEvent[],
): Where {
  const { initiator, phase, step } = beacon;
  const { kind, id, line, column } = initiator;
  const opened = page.phases.find(each => each.phase === phase && each.step === step)?.url ?? page.url;
  const position = { line: line ?? 1, column: column ?? 1, url: initiator.url ?? opened };
  if (kind === 'container' && id?.startsWith('GTM-'))
    return containerTag(beacon, events) ?? { ...position, source: `container ${id}` };
  if (kind === 'web_pixel') return { ...position, source: 'web pixel' };
  return { ...position, source: initiator.url ?? 'page' };
}

/**
 * Returns the location of the container tag that sends a beacon's event. If no tag names the event, returns the
 * location of the tag that only initializes the ID. Returns `null` unless exactly one tag matches.
 */
function containerTag(
  { initiator, vendor, id, event }: RecordedBeacon,
  events: readonly ContainerEvent[],
): Where | null {
  const own = events.filter(each => each.container === initiator.id && each.vendor === vendor);
  const withId = own.filter(each => each.id === id || each.id === null);
  const exact = withId.filter(each => each.event === event && event !== null);
  const candidates = exact.length > 0 ? exact : withId.filter(each => each.event === null);
  const [first] = candidates;
  return first && candidates.every(({ where }) => where.source === first.where.source) ? first.where : null;
}
