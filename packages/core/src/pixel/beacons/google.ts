import { isSameOrSubdomain, type LooseUrl, queryParams } from '../html/url.ts';
import { type Beacon, type BeaconProduct, parametersOf, renamed, shortText } from './beacon.ts';
import { googleConsent } from './consent-signals.ts';

/** Maximum number of events in one request. Google's library sends no more than 20 per request. */
const MAX_EVENTS = 25;

const ADS_HOSTS = ['doubleclick.net', 'googleadservices.com', 'google.com', 'googlesyndication.com'];

/** Parameters whose names Google shortens in requests. */
const GA4_NAMES = new Map([['cu', 'currency']]);
const ADS_NAMES = new Map([
  ['label', 'label'],
  ['value', 'value'],
  ['currency_code', 'currency'],
  ['oid', 'transaction_id'],
]);
const UNIVERSAL_NAMES = new Map([
  ['ec', 'event_category'],
  ['el', 'event_label'],
  ['ev', 'value'],
  ['cu', 'currency'],
  ['ti', 'transaction_id'],
  ['tr', 'revenue'],
]);

/**
 * Reads events from Google Analytics 4, Universal Analytics, Google Ads, and Floodlight requests. Returns an empty list
 * for other requests. Analytics requests are recognized on every host, because shops can send them through their own
 * domains.
 *
 * Sources: https://developers.google.com/analytics/devguides/collection/protocol/v1/parameters and
 * https://github.com/MisterPhilip/omnibug, both checked 2026-11-23.
 */
export function readGoogleBeacons(url: LooseUrl, body: string | null): Beacon[] {
  const { host, path, params } = url;
  if (/\/g\/collect$/.test(path) && params.get('v') === '2') return readGa4(params, body ?? '');
  if (/\/(?:[rj]\/)?collect$/.test(path)) {
    const old = readUniversal(params, body ?? '');
    if (old.length > 0) return old;
  }
  return ADS_HOSTS.some(domain => isSameOrSubdomain(host, domain)) ? readAds(url) : [];
}

/** Reads Google Analytics 4 events. In a batch, each body line is an event, and the URL contains the shared data. */
function readGa4(shared: ReadonlyMap<string, string>, body: string): Beacon[] {
  const id = shortText(shared.get('tid'));
  if (id === null) return [];
  const lines = body.split(/\r?\n/).filter(line => line.includes('en='));
  const events =
    shared.has('en') || lines.length === 0 ? [new Map<string, string>()] : lines.slice(0, MAX_EVENTS).map(queryParams);
  return events.map(own => {
    const params = new Map([...shared, ...own]);
    const items = [...params].filter(([name]) => /^pr\d{1,3}$/.test(name)).map(([, value]) => value);
    const data = [...params].flatMap(([name, value]): [string, unknown][] => {
      const key = /^epn?\.(.+)$/.exec(name)?.[1];
      return key === undefined || key === 'event_id' ? [] : [[key, name.startsWith('epn.') ? Number(value) : value]];
    });
    data.push(...renamed(params, GA4_NAMES));
    if (items.length > 0) data.push(['items', items]);
    return {
      ...{ vendor: 'google', product: 'ga4', id, event: shortText(params.get('en')) },
      event_id: shortText(params.get('ep.event_id') ?? params.get('ep.transaction_id')),
      parameters: parametersOf(data),
      consent: googleConsent(params),
      personal: personalIn(params),
    };
  });
}

function readUniversal(query: ReadonlyMap<string, string>, body: string): Beacon[] {
  const params = new Map([...queryParams(body), ...query]);
  const id = shortText(params.get('tid'));
  if (params.get('v') !== '1' || !id?.startsWith('UA-')) return [];
  const hit = shortText(params.get('t'));
  return [
    {
      ...{ vendor: 'google', product: 'universal_analytics', id },
      event: hit === 'event' ? (shortText(params.get('ea')) ?? hit) : hit,
      event_id: null,
      parameters: parametersOf(renamed(params, UNIVERSAL_NAMES)),
      consent: googleConsent(params),
      personal: personalIn(params),
    },
  ];
}

function readAds({ path, params }: LooseUrl): Beacon[] {
  const beacon = (product: BeaconProduct, id: string | null, event: string | null): Beacon[] => {
    return [
      {
        ...{ vendor: 'google', product, id, event, event_id: shortText(params.get('oid')) },
        parameters: parametersOf(renamed(params, ADS_NAMES)),
        consent: googleConsent(params),
        personal: personalIn(params),
      },
    ];
  };
  // The account ID is part of the path, such as `/pagead/viewthroughconversion/123456789/`.
  const [, kind, account] =
    /\/(?:pagead|rmkt)\/(viewthroughconversion|conversion|1p-conversion|1p-user-list|collect)\/(\d{6,12})\b/.exec(
      path,
    ) ?? [];
  if (account !== undefined) {
    const named = /(?:^|;)event=([^;]+)/.exec(params.get('data') ?? '')?.[1];
    const isConversion = params.has('label') && kind !== '1p-user-list';
    const event = shortText(params.get('en') ?? named) ?? (isConversion ? 'conversion' : 'page_view');
    return beacon('google_ads', `AW-${account}`, event);
  }
  if (path === '/ccm/collect' || path === '/ccm/form-data')
    return beacon('google_ads', shortText(params.get('tid')), shortText(params.get('en')));
  // Floodlight sends its fields in the path, separated by semicolons.
  const source = /\/activity(?:i|_ext)?;(?:.*;)?src=(\d{3,12})\b/.exec(path)?.[1];
  return source === undefined ? [] : beacon('floodlight', `DC-${source}`, shortText(/;type=([^;?]+)/.exec(path)?.[1]));
}

/** Returns the names of the fields that contain personal data. `em` is Google's field for hashed user data. */
function personalIn(params: ReadonlyMap<string, string>): string[] {
  return ['em', 'uid', 'ecid'].filter(name => (params.get(name) ?? '') !== '');
}
