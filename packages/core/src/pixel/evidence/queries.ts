import type { Confidence } from '../script/effect.ts';
import type { Evidence, Of, Seen, Sighting, Vendor } from './sighting.ts';

/** The sightings of one kind, in order of execution. */
export const ofKind = <K extends Sighting['kind']>(evidence: Evidence, kind: K): Of<K>[] =>
  evidence.sightings.filter((s): s is Of<K> => s.kind === kind);

/** Runs at load or later, without asking; or stands in a function nobody was seen to call, and is then `possible`. */
export const isLive = (seen: Seen): boolean =>
  seen.state === 'run' || seen.state === 'later' || (seen.state === 'inert' && seen.confidence === 'possible');

/** Live, waiting for consent, or run by the platform: the tag is part of the page. */
export const isPresent = (seen: Seen): boolean => isLive(seen) || seen.state === 'gated' || seen.state === 'config';

/** Two pieces of code stand in different arms of the same condition, so that at most one runs. */
export const excludeEachOther = (a: Seen, b: Seen): boolean =>
  a.arms.some(x => b.arms.some(y => x.condition === y.condition && x.arm !== y.arm));

const RANK: Readonly<Record<Confidence, number>> = { certain: 2, likely: 1, possible: 0 };

/** The least sure of several sightings. */
export const weakest = (...seen: readonly Seen[]): Confidence =>
  seen.reduce<Confidence>((least, s) => (RANK[s.confidence] < RANK[least] ? s.confidence : least), 'certain');

/** Live starts of one vendor in the code of the page, with or without a known id. */
export const codeInits = (evidence: Evidence, vendor: Vendor): Of<'init'>[] =>
  ofKind(evidence, 'init').filter(
    s => s.vendor === vendor && isLive(s) && s.api !== 'preferences' && s.api !== 'web_pixel',
  );

/** The largest set of sightings, from the first on, of which none excludes another. */
export function together<S extends Seen>(sightings: readonly S[]): S[] {
  const kept: S[] = [];
  for (const seen of sightings) {
    if (kept.length >= 64) break;
    if (!kept.some(k => excludeEachOther(k, seen))) kept.push(seen);
  }
  return kept;
}

/** Groups by a key; `null` keys are left out. Groups keep the order of first appearance. */
export function groupBy<S>(items: readonly S[], key: (item: S) => string | null): Map<string, S[]> {
  const groups = new Map<string, S[]>();
  for (const item of items) {
    const name = key(item);
    if (name === null) continue;
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

/** Web pixels of one vendor that the platform runs. */
export const webPixels = (evidence: Evidence, vendor: Vendor): Of<'web_pixel'>[] =>
  ofKind(evidence, 'web_pixel').filter(s => s.vendor === vendor);

/** Tag Manager containers that the page starts, not counting the script a running container leaves in a saved page. */
export function containers(evidence: Evidence): Of<'loader'>[] {
  const all = ofKind(evidence, 'loader').filter(s => s.library === 'gtm' && (isLive(s) || s.state === 'gated'));
  const started = new Set(all.filter(s => !isElement(s)).map(s => s.id));
  return all.filter(s => !isElement(s) || !(started.has(s.id) || started.has(null)));
}

/** Stands in the page as an element rather than in a script's code. */
const isElement = (seen: Seen): boolean => seen.where.source.startsWith('script#');

/** Whether the page, or a container on it that could do so unseen, starts a Google tag. */
export const hasContainer = (evidence: Evidence): boolean =>
  ofKind(evidence, 'loader').some(s => s.library === 'gtm' && isPresent(s));
