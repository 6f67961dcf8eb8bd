import type { AdVendor } from '../ad-pixels/ad-pixels.ts';
import { isSameOrSubdomain, type LooseUrl, queryParams } from '../html/url.ts';
import { parseJson } from '../shopify/web-pixels.ts';
import { type Beacon, type JsonObject, NO_SIGNAL, objectOf, parametersOf, renamed, shortText } from './beacon.ts';

/** A request to an ad vendor: the URL and form body parameters, and the JSON body. */
interface AdRequest {
  readonly params: ReadonlyMap<string, string>;
  readonly json: unknown;
}

/** Data about one event in a request to an ad vendor. */
type AdEvent = Pick<Beacon, 'id' | 'event'> &
  Partial<Pick<Beacon, 'event_id' | 'consent' | 'personal'>> & {
    readonly data?: Iterable<readonly [string, unknown]>;
  };

/** How an ad vendor's pixel reports events. */
interface AdEndpoint {
  readonly hosts: readonly string[];
  readonly path: RegExp;
  read(request: AdRequest): readonly AdEvent[];
  /** Page that documents the request. */
  readonly source: string;
}

/** Maximum number of events in one request. */
const MAX_EVENTS = 25;

/** Returns the parameters whose names start with a prefix, without that prefix. */
const withPrefix = (params: ReadonlyMap<string, string>, prefix: string): [string, string][] =>
  [...params].flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : []));

const present = (params: ReadonlyMap<string, string>, names: readonly string[]): string[] =>
  names.filter(name => (params.get(name) ?? '') !== '');

/** Request format for each vendor's pixel. All sources were checked on 2026-11-23. */
const ENDPOINTS: Readonly<Record<AdVendor, AdEndpoint>> = {
  tiktok: {
    hosts: ['analytics.tiktok.com'],
    path: /^\/api\/v\d\/(?:track|pixel|shopify_pixel)(?:\/act|\/perf)?\/?$/,
    source: 'https://github.com/MisterPhilip/omnibug',
    read({ json }) {
      const { batch } = objectOf(json);
      return (Array.isArray(batch) ? batch : [json]).map(objectOf).flatMap(event => {
        const pixel = objectOf(objectOf(event.context).pixel);
        const name = shortText(event.event);
        if (name === null) return [];
        const user = objectOf(objectOf(event.context).user);
        return {
          id: shortText(pixel.code),
          event: name,
          event_id: shortText(event.event_id),
          data: Object.entries(objectOf(event.properties)),
          personal: ['email', 'phone_number', 'external_id'].filter(key => shortText(user[key]) !== null),
        };
      });
    },
  },
  pinterest: {
    hosts: ['ct.pinterest.com'],
    path: /^\/v3\/?$/,
    source: 'https://developers.pinterest.com/docs/api-features/pinterest-tag/',
    read({ params }) {
      const data = objectOf(parseJson(params.get('ed') ?? ''));
      const details = [...withBrackets(params, 'ed'), ...Object.entries(data)];
      const person = objectOf(parseJson(params.get('pd') ?? ''));
      return [
        {
          id: shortText(params.get('tid')),
          event: shortText(params.get('event')),
          event_id: shortText(data.event_id),
          data: details.filter(([name]) => name !== 'event_id'),
          personal: 'em' in person || params.has('pd[em]') ? ['em'] : [],
        },
      ];
    },
  },
  klaviyo: {
    hosts: ['a.klaviyo.com', 'klaviyo.com'],
    path: /^\/(?:client\/events|client\/event-bulk-create|api\/track|onsite\/track-analytics)\/?$/,
    source: 'https://developers.klaviyo.com/en/reference/create_client_event',
    read({ params, json }) {
      const attributes = objectOf(objectOf(objectOf(json).data).attributes);
      const metric = objectOf(objectOf(objectOf(objectOf(attributes.metric).data).attributes));
      const legacy = objectOf(json);
      return [
        {
          id: shortText(params.get('company_id') ?? legacy.token),
          event: shortText(metric.name ?? legacy.event),
          event_id: shortText(attributes.unique_id),
          data: Object.entries(objectOf(attributes.properties ?? legacy.properties)),
          personal: personalKeys(attributes.profile ?? legacy.customer_properties),
        },
      ];
    },
  },
  snapchat: {
    hosts: ['tr.snapchat.com', 'tr6.snapchat.com'],
    path: /^\/p\/?$/,
    source: 'https://github.com/MisterPhilip/omnibug',
    read: ({ params }) => [
      {
        id: shortText(params.get('pid')),
        event: shortText(params.get('ev')),
        event_id: shortText(params.get('e_cdid') ?? params.get('client_dedup_id')),
        data: renamed(params, SNAP_NAMES),
        personal: present(params, ['u_hem', 'u_hpn', 'u_em', 'u_pn']),
      },
    ],
  },
  microsoft: {
    hosts: ['bat.bing.com', 'bat.bing.net'],
    path: /^\/(?:action|actionp)\/\d+\/?$/,
    source: 'https://learn.microsoft.com/en-us/advertising/msa-help/hlp_ba_conc_uet_parameters_table',
    read({ params }) {
      const choice = params.get('asc');
      const isKnown = choice === 'G' || choice === 'D';
      return [
        {
          id: shortText(params.get('ti')),
          event: shortText(params.get('ea')) ?? shortText(params.get('evt')),
          data: renamed(params, UET_NAMES),
          ...(isKnown && {
            consent: { purposes: { ad_storage: choice === 'G' ? 'granted' : 'denied' }, signals: { asc: choice } },
          }),
          personal: present(params, ['pid', 'em', 'ph']),
        },
      ];
    },
  },
  x: {
    hosts: ['t.co', 'analytics.twitter.com', 'analytics.x.com'],
    path: /^\/(?:\d\/)?i\/adsct\/?$/,
    source: 'https://github.com/MisterPhilip/omnibug',
    read({ params }) {
      const list = parseJson(params.get('events') ?? '');
      const events = (Array.isArray(list) ? list : []).filter(event => Array.isArray(event));
      const id = shortText(params.get('txn_id'));
      const event_id = shortText(params.get('event_id'));
      if (events.length === 0) return [{ id, event: null, event_id }];
      return events.map(([name, data]) => ({
        id,
        event: shortText(name),
        event_id,
        data: Object.entries(objectOf(data)),
      }));
    },
  },
  reddit: {
    hosts: ['alb.reddit.com', 'events.redditmedia.com'],
    path: /^\/(?:snoo|rp)\.gif$/,
    source: 'https://github.com/reddit/reddit-gtm-template',
    read: ({ params }) => [
      {
        id: shortText(params.get('id')),
        event: shortText(params.get('m.customEventName')) ?? shortText(params.get('event')),
        event_id: shortText(params.get('m.conversionId')),
        data: withPrefix(params, 'm.').filter(([name, value]) => value !== '' && name !== 'conversionId'),
        personal: present(params, ['em', 'pn', 'external_id', 'aaid', 'idfa']),
      },
    ],
  },
  linkedin: {
    hosts: ['px.ads.linkedin.com', 'px4.ads.linkedin.com'],
    path: /^\/(?:collect|attribution_trigger)\/?$/,
    source: 'https://github.com/MisterPhilip/omnibug',
    read: ({ params }) => [
      {
        id: shortText(params.get('pid')),
        event: shortText(params.get('conversionId')) ?? 'PageView',
        event_id: shortText(params.get('eventId')),
        personal: present(params, ['hem', 'em']),
      },
    ],
  },
};

const SNAP_NAMES = new Map([
  ['e_pr', 'price'],
  ['e_cur', 'currency'],
  ['e_tid', 'transaction_id'],
  ['e_iids', 'item_ids'],
  ['e_ic', 'item_category'],
  ['e_ni', 'number_items'],
  ['e_ss', 'search_string'],
]);

const UET_NAMES = new Map([
  ['ec', 'event_category'],
  ['el', 'event_label'],
  ['ev', 'event_value'],
  ['gv', 'revenue_value'],
  ['gc', 'currency'],
  ['prodid', 'ecomm_prodid'],
  ['pagetype', 'ecomm_pagetype'],
]);

/** Returns the keys and values of the parameters whose names have the form `name[key]`. */
function withBrackets(params: ReadonlyMap<string, string>, name: string): [string, string][] {
  return withPrefix(params, `${name}[`).flatMap(([key, value]) =>
    key.endsWith(']') ? [[key.slice(0, -1), value]] : [],
  );
}

/** Returns the names of the profile fields that identify a person. */
function personalKeys(profile: unknown): string[] {
  const fields: JsonObject = { ...objectOf(profile), ...objectOf(objectOf(objectOf(profile).data).attributes) };
  return ['email', '$email', 'phone_number', '$phone_number', 'external_id'].filter(
    key => shortText(fields[key]) !== null,
  );
}

/**
 * Reads the events in a request to a vendor in {@link AD_PIXELS}. Returns an empty list for other requests, such as
 * requests for the vendor's library.
 */
export function readAdBeacons(url: LooseUrl, body: string | null): Beacon[] {
  for (const [vendor, { hosts, path, read }] of Object.entries(ENDPOINTS) as [AdVendor, AdEndpoint][]) {
    if (!hosts.some(host => isSameOrSubdomain(url.host, host)) || !path.test(url.path)) continue;
    const text = body ?? '';
    const isJson = /^\s*[[{]/.test(text);
    const params = isJson || text === '' ? url.params : new Map([...queryParams(text), ...url.params]);
    const events = read({ params, json: isJson ? parseJson(text) : parseJson(decodeBase64(params.get('data'))) });
    return events.slice(0, MAX_EVENTS).map(({ data = [], ...event }) => ({
      ...{ vendor, product: 'ad_pixel', event_id: null, consent: NO_SIGNAL, personal: [] },
      ...event,
      parameters: parametersOf(data),
    }));
  }
  return [];
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes base64 to ASCII text. Some vendors base64-encode JSON in URLs. */
function decodeBase64(text: string | undefined): string {
  let decoded = '';
  let bits = 0;
  let count = 0;
  for (const character of text ?? '') {
    const value = BASE64.indexOf(character);
    if (value < 0) continue;
    bits = ((bits << 6) | value) & 0xffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      decoded += String.fromCharCode((bits >> count) & 0xff);
    }
  }
  return decoded;
}
