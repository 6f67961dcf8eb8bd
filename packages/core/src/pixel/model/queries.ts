import { type Confidence, leastConfident } from './execution.ts';
import type { ObservationContext, ObservationOf, TagObservation, Vendor } from './observation.ts';
import type { PageObservations } from './page-observations.ts';

/** Returns observations of one kind, in execution order. */
export const ofKind = <K extends TagObservation['kind']>(page: PageObservations, kind: K): ObservationOf<K>[] =>
  page.observations.filter((o): o is ObservationOf<K> => o.kind === kind);

/**
 * Returns whether an observation is live: its code runs without waiting for consent, either when the page loads or
 * later. Code that might run, such as code in a function without a visible caller, counts as live, with the confidence
 * `possible`.
 */
export const isLive = ({ state, confidence }: ObservationContext): boolean =>
  state === 'run' || state === 'later' || ((state === 'inert' || state === 'never_runs') && confidence === 'possible');

/** Returns whether the observed tag is live, waiting for consent, or run by the platform, such as Shopify. */
export const isPresent = (observation: ObservationContext): boolean =>
  isLive(observation) || observation.state === 'gated' || observation.state === 'config';

/**
 * Returns whether two observations are in different branches of the same condition, which means that at most one of
 * them runs.
 */
export const areMutuallyExclusive = (a: ObservationContext, b: ObservationContext): boolean =>
  a.branches.some(x => b.branches.some(y => x.condition === y.condition && x.branch !== y.branch));

/** Returns the confidence of the least certain observation. */
export const lowestConfidence = (...observations: readonly ObservationContext[]): Confidence =>
  leastConfident(...observations.map(o => o.confidence));

/** Returns the vendor's tag initializations in live page code, with or without a known ID. */
export const codeInits = (page: PageObservations, vendor: Vendor): ObservationOf<'init'>[] =>
  ofKind(page, 'init').filter(
    o => o.vendor === vendor && isLive(o) && o.api !== 'preferences' && o.api !== 'web_pixel',
  );

const MAX_COEXISTING = 64;

/**
 * Returns observations that can all run together: the first one, and every later one that isn't mutually exclusive with
 * an observation already in the list.
 */
export function coexisting<O extends ObservationContext>(observations: readonly O[]): O[] {
  const kept: O[] = [];
  for (const observation of observations) {
    if (kept.length >= MAX_COEXISTING) break;
    if (!kept.some(k => areMutuallyExclusive(k, observation))) kept.push(observation);
  }
  return kept;
}

/** Groups items by key, in order of first appearance, and skips items whose key is `null`. */
export function groupBy<T, Key extends string>(items: readonly T[], key: (item: T) => Key | null): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const name = key(item);
    if (name === null) continue;
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

/** Returns the vendor's web pixels that Shopify runs. */
export const webPixels = (page: PageObservations, vendor: Vendor): ObservationOf<'web_pixel'>[] =>
  ofKind(page, 'web_pixel').filter(o => o.vendor === vendor);

/**
 * Returns the loaders for the page's Tag Manager containers, excluding any script element that a running container
 * added before the page was saved.
 */
export function containers(page: PageObservations): ObservationOf<'loader'>[] {
  const all = ofKind(page, 'loader').filter(o => o.library === 'gtm' && (isLive(o) || o.state === 'gated'));
  const started = new Set(all.filter(o => !isScriptElement(o)).map(o => o.id));
  return all.filter(o => !isScriptElement(o) || !(started.has(o.id) || started.has(null)));
}

/** Returns whether the observation is a script element on the page rather than code inside a script. */
export const isScriptElement = ({ where }: ObservationContext): boolean => where.source.startsWith('script#');

/** Returns whether the page has a Tag Manager container. */
export const hasContainer = (page: PageObservations): boolean =>
  ofKind(page, 'loader').some(o => o.library === 'gtm' && isPresent(o));

/**
 * Returns the loaders for Tag Manager containers that the scan didn't read. Such a container can load any tag
 * undetected, so the scan can't be certain that a tag is missing from the page.
 */
export function unreadContainers(page: PageObservations): ObservationOf<'loader'>[] {
  const read = ofKind(page, 'container').filter(c => c.library === 'gtm' && c.unreadable === null);
  const ids = new Set(read.map(c => c.id));
  const loaders = ofKind(page, 'loader').filter(o => o.library === 'gtm' && isPresent(o));
  const named = new Set(loaders.map(o => o.id));
  // A container without its own loader can belong to a loader whose ID can't be resolved.
  const spare = [...ids].some(id => !named.has(id));
  return loaders.filter(o => (o.id === null ? !spare : !ids.has(o.id)));
}

/**
 * Returns the IDs that an event is sent to, such as `AW-123456789/label`, or an empty list if the IDs aren't specified
 * or can't be resolved.
 */
export function targetsOf({ target, parameters }: ObservationOf<'event'>): string[] {
  if (target !== null) return target.split(',').map(id => id.trim());
  const written = parameters?.values.get('send_to');
  if (written?.kind !== 'list') return [];
  return written.items.flatMap(item => (item.kind === 'known' && typeof item.value === 'string' ? [item.value] : []));
}

/** A `gtag` event for Google Analytics 4, and the confidence that Google Analytics 4 receives it. */
interface Ga4Event {
  readonly at: ObservationOf<'event'>;
  readonly confidence: Confidence;
}

/**
 * Returns the page's `gtag` events that Google Analytics 4 receives. Excludes events that go only to other Google
 * products, because those products have different parameter rules. On a page that configures only such products, events
 * without an explicit target are excluded too.
 */
export function ga4Events(page: PageObservations): Ga4Event[] {
  const isGa4 = (id: string | null): boolean => id === null || /^GT?-/i.test(id);
  const isOther = (id: string): boolean => /^(?:AW|DC|UA)-/i.test(id);
  const ids = ofKind(page, 'init').flatMap(o => (o.vendor === 'google' && isPresent(o) ? [o.id.value] : []));
  const onlyOthers = ids.length > 0 && ids.every(id => id !== null && isOther(id));
  return ofKind(page, 'event').flatMap((at): Ga4Event[] => {
    if (at.vendor !== 'google' || at.method !== 'event' || !isPresent(at)) return [];
    const targets = targetsOf(at);
    if (targets.length > 0 ? targets.every(isOther) : onlyOthers) return [];
    // Without a configured ID, the event is received only if code that the scan can't see configures one.
    const isReceived = ids.some(isGa4) || targets.some(isGa4);
    return [{ at, confidence: isReceived ? at.confidence : 'possible' }];
  });
}

/** Returns whether the observation is from a Tag Manager container. */
export const isInContainer = ({ channel }: ObservationContext): boolean => channel === 'gtm';

/** Returns where the merchant edits the tag: in the theme or in the Tag Manager container. */
export const placeOf = (observation: ObservationContext): 'theme' | 'container' =>
  isInContainer(observation) ? 'container' : 'theme';
