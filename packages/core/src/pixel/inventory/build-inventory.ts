import type { State } from '../model/execution.ts';
import type { Inventory, Tag } from '../model/inventory.ts';
import type { ObservationOf, TagObservation, Vendor } from '../model/observation.ts';
import type { PageObservations } from '../model/page-observations.ts';
import { isPresent, ofKind } from '../model/queries.ts';

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

/**
 * Maximum number of tags in an inventory, which limits the work that a malicious page can cause. Real pages have about
 * a dozen tags.
 */
const MAX_TAGS = 500;

const STATES: readonly State[] = ['run', 'later', 'gated', 'config', 'inert', 'never_runs'];
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Builds a page's inventory from its observations. The inventory is sorted, so the same tags always produce the same
 * bytes.
 */
export function buildInventory(page: PageObservations): Inventory {
  const { facts } = page;
  const found = new Map<string, { tag: Omit<Tag, 'events' | 'events_unresolved'>; order: number }>();
  const hosts = loaderHosts(page);
  const defaults = ofKind(page, 'consent').filter(c => c.command === 'default' || c.command === 'revoke');
  for (const observation of page.observations) {
    if (!isPresent(observation) && observation.state !== 'never_runs') continue;
    // The Google tag library sends nothing for an ID until a call configures the ID.
    const state = observation.kind === 'loader' && observation.library === 'gtag' ? 'inert' : observation.state;
    for (const { vendor, kind, id } of tagsOf(observation)) {
      const key = [vendor, kind, id ?? '', observation.channel].join('|');
      const before = found.get(key);
      const stronger = before && STATES.indexOf(before.tag.state) <= STATES.indexOf(state);
      if (before && stronger) continue;
      const consent =
        observation.state === 'config'
          ? 'platform'
          : observation.state === 'gated'
            ? 'gated'
            : defaults.some(c => c.vendor === 'meta' || c.vendor === 'google' || c.vendor === vendor)
              ? 'default_set'
              : 'none';
      const loader_host = observation.kind === 'loader' ? observation.host : (hosts.get(vendor) ?? null);
      const { channel, position } = observation;
      found.set(key, {
        tag: { vendor, kind, id, channel, state, position, consent, loader_host },
        order: observation.order,
      });
    }
  }
  const events = eventsOf(page);
  const tags = [...found.values()]
    .slice(0, MAX_TAGS)
    .map(({ tag }): Tag => {
      const sends = (tag.channel === 'theme' || tag.channel === 'gtm') && tag.kind !== 'gtm_container';
      const own = sends ? (events.get(sender(tag)) ?? []) : [];
      const names = own.filter(
        e => (e.target === null || targetOf(e) === tag.id) && (e.state !== 'never_runs' || tag.state === 'never_runs'),
      );
      const known = [...new Set(names.flatMap(e => (e.name === null ? [] : [e.name])))].sort();
      return { ...tag, events: known, events_unresolved: names.some(e => e.name === null) };
    })
    .sort((a, b) =>
      compareText([a.vendor, a.kind, a.id, a.channel].join('|'), [b.vendor, b.kind, b.id, b.channel].join('|')),
    );
  const third = ofKind(page, 'third_party').map(({ company, category, host }) => ({ company, category, host }));
  return {
    version: 1,
    as_of: facts.asOf,
    url: facts.url,
    page_type: facts.pageType,
    theme: facts.shopify.theme,
    password: facts.password,
    complete: !facts.truncated && facts.unfetched.length === 0 && facts.blocked === null && found.size <= MAX_TAGS,
    tags,
    containers_read: [
      ...new Set(ofKind(page, 'container').flatMap(c => (c.unreadable === null && c.id !== null ? [c.id] : []))),
    ].sort(),
    containers: [...new Set(tags.flatMap(t => (t.kind === 'gtm_container' && t.id !== null ? [t.id] : [])))].sort(),
    third_parties: third.sort((a, b) => compareText(a.company, b.company) || compareText(a.host, b.host)),
  };
}

function tagsOf(observation: TagObservation): { vendor: Vendor; kind: string; id: string | null }[] {
  switch (observation.kind) {
    case 'init':
      return [
        {
          vendor: observation.vendor,
          kind: kindOf(observation.vendor, observation.id.value),
          id: observation.id.value,
        },
      ];
    case 'loader':
      if (observation.library !== 'gtm' && (observation.id === null || observation.library === 'optimize')) return [];
      return [{ vendor: observation.vendor, kind: kindOf(observation.vendor, observation.id), id: observation.id }];
    case 'beacon':
      if (observation.vendor !== 'meta' || observation.api !== 'pixel' || !observation.params.id) return [];
      return [{ vendor: 'meta', kind: 'meta_pixel', id: observation.params.id }];
    case 'web_pixel':
      if (observation.ids.length > 0 || observation.entry.startsWith('shopify-')) return [];
      return [
        {
          vendor: observation.vendor,
          kind: observation.type === 'CUSTOM' ? 'custom_pixel' : 'app_pixel',
          id: observation.app ?? observation.entry,
        },
      ];
    case 'container_tag': {
      const { vendor, role, ids, code } = observation.tag;
      if (vendor === null || role !== 'tag' || code === '__opt') return [];
      return ids.values.map(id => ({ vendor, kind: kindOf(vendor, id), id }));
    }
    case 'legacy':
      return observation.api === 'meta_call' && observation.id !== null
        ? [{ vendor: 'meta', kind: 'meta_conversion_pixel', id: observation.id }]
        : [];
    default:
      return [];
  }
}

function loaderHosts(page: PageObservations): Map<Vendor, string> {
  const hosts = new Map<Vendor, string>();
  for (const loader of ofKind(page, 'loader')) if (!hosts.has(loader.vendor)) hosts.set(loader.vendor, loader.host);
  return hosts;
}

/** Returns the grouping key for a tag's events. Container tags don't send the events in the page's own code. */
const sender = ({ vendor, channel }: Pick<Tag, 'vendor' | 'channel'>): string =>
  `${vendor} ${channel === 'gtm' ? 'gtm' : 'page'}`;

/** Returns the ID that an event is sent to. For a container tag, omits the Google Ads conversion label. */
const targetOf = ({ target, channel }: ObservationOf<'event'>): string | null =>
  channel === 'gtm' && target !== null ? target.replace(/\/.*$/s, '') : target;

function eventsOf(page: PageObservations): Map<string, ObservationOf<'event'>[]> {
  const events = new Map<string, ObservationOf<'event'>[]>();
  for (const event of ofKind(page, 'event')) {
    if (!isPresent(event) && event.state !== 'never_runs') continue;
    if (event.method === 'ga_send' || event.method === 'page') continue;
    const known = events.get(sender(event));
    if (known) known.push(event);
    else events.set(sender(event), [event]);
  }
  return events;
}
