import { isPresent, ofKind } from '../evidence/queries.ts';
import type { Channel, Evidence, Of, Sighting, Theme, Vendor } from '../evidence/sighting.ts';
import type { State } from '../script/effect.ts';

/** One tag of a page. `id` is `null` where it could not be resolved. Events are the names written in the code. */
export interface Tag {
  readonly vendor: Vendor;
  readonly kind: string;
  readonly id: string | null;
  readonly channel: Channel;
  readonly state: State;
  readonly position: 'head' | 'body';
  readonly events: readonly string[];
  /** Some event names are computed, so `events` is not the whole set. */
  readonly events_unresolved: boolean;
  readonly consent: 'none' | 'default_set' | 'gated' | 'platform';
  readonly loader_host: string | null;
}

/** A company whose scripts, frames or images the page asks for, beyond the tags above. */
export interface ThirdParty {
  readonly company: string;
  readonly category: string;
  readonly host: string;
}

/**
 * What is on a page, without anything that changes between two loads. Save it, and give it to `drift` later.
 * `complete` is false when part of the page was not seen; a tag missing from it may still be there.
 */
export interface Inventory {
  readonly version: 1;
  readonly as_of: string;
  readonly url: string;
  readonly page_type: string;
  readonly theme: Theme | null;
  readonly password: boolean;
  readonly complete: boolean;
  readonly tags: readonly Tag[];
  readonly containers: readonly string[];
  readonly third_parties: readonly ThirdParty[];
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^G-/i, 'ga4'],
  [/^AW-|^\d{9,11}$/i, 'google_ads'],
  [/^GT-/i, 'google_tag'],
  [/^UA-/i, 'universal_analytics'],
  [/^DC-/i, 'floodlight'],
];

const kindOf = (vendor: Vendor, id: string | null): string => {
  if (vendor === 'google') return KINDS.find(([pattern]) => id !== null && pattern.test(id))?.[1] ?? 'google_tag';
  return vendor === 'gtm' ? 'gtm_container' : `${vendor}_pixel`;
};

/** A real page has a dozen; a page made to be slow has as many as fit. */
const MAX_TAGS = 500;

const STATES: readonly State[] = ['run', 'later', 'gated', 'config', 'inert'];
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Makes the inventory of a page from its evidence. Sorted, so that the same tags give the same bytes. */
export function inventoryOf(evidence: Evidence): Inventory {
  const { facts } = evidence;
  const found = new Map<string, { tag: Omit<Tag, 'events' | 'events_unresolved'>; order: number }>();
  const hosts = loaderHosts(evidence);
  const defaults = ofKind(evidence, 'consent').some(c => c.command === 'default' || c.command === 'revoke');
  for (const seen of evidence.sightings) {
    if (!isPresent(seen)) continue;
    for (const { vendor, kind, id } of tagsOf(seen)) {
      const key = [vendor, kind, id ?? '', seen.channel].join('|');
      const before = found.get(key);
      const stronger = before && STATES.indexOf(before.tag.state) <= STATES.indexOf(seen.state);
      if (before && stronger) continue;
      const consent =
        seen.state === 'config' ? 'platform' : seen.state === 'gated' ? 'gated' : defaults ? 'default_set' : 'none';
      const loader_host = seen.kind === 'loader' ? seen.host : (hosts.get(vendor) ?? null);
      const { channel, state, position } = seen;
      found.set(key, { tag: { vendor, kind, id, channel, state, position, consent, loader_host }, order: seen.order });
    }
  }
  const events = eventsOf(evidence);
  const tags = [...found.values()]
    .slice(0, MAX_TAGS)
    .map(({ tag }): Tag => {
      const own = tag.channel === 'theme' && tag.kind !== 'gtm_container' ? events.get(tag.vendor) : undefined;
      const names = own ? own.filter(e => e.target === null || e.target === tag.id) : [];
      const known = [...new Set(names.flatMap(e => (e.name === null ? [] : [e.name])))].sort();
      return { ...tag, events: known, events_unresolved: names.some(e => e.name === null) };
    })
    .sort((a, b) =>
      compareText([a.vendor, a.kind, a.id, a.channel].join('|'), [b.vendor, b.kind, b.id, b.channel].join('|')),
    );
  const third = ofKind(evidence, 'third_party').map(({ company, category, host }) => ({ company, category, host }));
  return {
    version: 1,
    as_of: facts.asOf,
    url: facts.url,
    page_type: facts.pageType,
    theme: facts.shopify.theme,
    password: facts.password,
    complete: !facts.truncated && facts.unfetched.length === 0 && facts.blocked === null && found.size <= MAX_TAGS,
    tags,
    containers: [...new Set(tags.flatMap(t => (t.kind === 'gtm_container' && t.id !== null ? [t.id] : [])))].sort(),
    third_parties: third.sort((a, b) => compareText(a.company, b.company) || compareText(a.host, b.host)),
  };
}

function tagsOf(seen: Sighting): { vendor: Vendor; kind: string; id: string | null }[] {
  switch (seen.kind) {
    case 'init':
      return [{ vendor: seen.vendor, kind: kindOf(seen.vendor, seen.id.value), id: seen.id.value }];
    case 'loader':
      if (seen.library !== 'gtm' && (seen.id === null || seen.library === 'optimize')) return [];
      return [{ vendor: seen.vendor, kind: kindOf(seen.vendor, seen.id), id: seen.id }];
    case 'beacon':
      if (seen.vendor !== 'meta' || seen.api !== 'pixel' || !seen.params.id) return [];
      return [{ vendor: 'meta', kind: 'meta_pixel', id: seen.params.id }];
    case 'web_pixel':
      if (seen.ids.length > 0 || seen.entry.startsWith('shopify-')) return [];
      return [
        {
          vendor: seen.vendor,
          kind: seen.type === 'CUSTOM' ? 'custom_pixel' : 'app_pixel',
          id: seen.app ?? seen.entry,
        },
      ];
    case 'legacy':
      return seen.api === 'meta_call' && seen.id !== null
        ? [{ vendor: 'meta', kind: 'meta_conversion_pixel', id: seen.id }]
        : [];
    default:
      return [];
  }
}

function loaderHosts(evidence: Evidence): Map<Vendor, string> {
  const hosts = new Map<Vendor, string>();
  for (const loader of ofKind(evidence, 'loader')) if (!hosts.has(loader.vendor)) hosts.set(loader.vendor, loader.host);
  return hosts;
}

function eventsOf(evidence: Evidence): Map<Vendor, Of<'event'>[]> {
  const events = new Map<Vendor, Of<'event'>[]>();
  for (const event of ofKind(evidence, 'event')) {
    if (!isPresent(event) || event.method === 'ga_send') continue;
    const known = events.get(event.vendor);
    if (known) known.push(event);
    else events.set(event.vendor, [event]);
  }
  return events;
}
