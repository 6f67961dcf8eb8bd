/**
 * Stubs that replace Meta's and Google's libraries in saved pages. A stub sends the beacons that the page's own calls
 * trigger, as documented by the vendors. It doesn't send the beacons that a library sends on its own, such as automatic
 * events. Each image has a unique URL, because Chromium loads images with the same URL only once.
 */

const META = `(() => {
  const queue = fbq.queue || [];
  const ids = [];
  let granted = true;
  let sent = 0;
  const held = [];
  let processing = {};
  const send = (id, event, data, options) => {
    const query = new URLSearchParams({ id, ev: event, dl: location.href, ts: Date.now(), n: ++sent, ...processing });
    for (const [name, value] of Object.entries(data || {})) query.set('cd[' + name + ']', typeof value === 'object' ? JSON.stringify(value) : value);
    if (options && options.eventID) query.set('eid', options.eventID);
    const request = () => { new Image().src = 'https://www.facebook.com/tr/?' + query; };
    granted ? request() : held.push(request);
  };
  const call = (command, ...args) => {
    if (command === 'consent') {
      granted = args[0] === 'grant';
      if (granted) held.splice(0).forEach(request => request());
    } else if (command === 'dataProcessingOptions') {
      const [options = [], country, state] = args;
      processing = options.length === 0 ? {} : { dpo: options.join(','), dpoco: country ?? 0, dpost: state ?? 0 };
    } else if (command === 'init') ids.includes(String(args[0])) || ids.push(String(args[0]));
    else if (command === 'track' || command === 'trackCustom') ids.forEach(id => send(id, ...args));
    else if (command === 'trackSingle' || command === 'trackSingleCustom') send(...args);
  };
  fbq.callMethod = (...args) => call(...args);
  queue.splice(0).forEach(args => call(...args));
})();`;

const GOOGLE = `(() => {
  const layer = window.dataLayer = window.dataLayer || [];
  const consent = {};
  const ids = new Set();
  let sent = 0;
  const flag = name => consent[name] === 'denied' ? '0' : consent[name] === 'granted' ? '1' : '-';
  const send = (id, event, data) => {
    const gcs = 'G1' + flag('ad_storage') + flag('analytics_storage');
    const query = new URLSearchParams(gcs === 'G1--' ? {} : { gcs });
    if (/^AW-/.test(id)) {
      query.set('en', event);
      query.set('random', ++sent);
      new Image().src = 'https://googleads.g.doubleclick.net/pagead/viewthroughconversion/' + id.slice(3).split('/')[0] + '/?' + query;
      return;
    }
    query.set('v', '2');
    query.set('tid', id);
    query.set('en', event);
    for (const [name, value] of Object.entries(data || {}))
      if (name === 'currency') query.set('cu', value);
      else if (name === 'items') value.forEach && value.forEach((item, index) => query.set('pr' + (index + 1), 'id' + item.item_id));
      else if (name !== 'send_to') query.set((typeof value === 'number' ? 'epn.' : 'ep.') + name, value);
    navigator.sendBeacon('https://www.google-analytics.com/g/collect?' + query);
  };
  const read = entry => {
    const [command, target, data] = Array.from(entry || []);
    if (command === 'consent') Object.assign(consent, data);
    else if (command === 'config') {
      ids.add(target);
      if (!data || data.send_page_view !== false) send(target, 'page_view', {});
    } else if (command === 'event') (data && data.send_to ? [].concat(data.send_to) : [...ids]).forEach(id => send(id, target, data));
  };
  layer.slice().forEach(read);
  const { push } = layer;
  layer.push = (...entries) => {
    const length = push.apply(layer, entries);
    entries.forEach(read);
    return length;
  };
})();`;

/**
 * Returns a stub for a vendor's library, or `null` for other scripts. If a page loads several Google tags, only the
 * first stub reads the data layer.
 *
 * @example vendorStub('https://connect.facebook.net/en_US/fbevents.js') // '(() => { …'
 */
export function vendorStub(url: string): string | null {
  if (/^https:\/\/connect\.facebook\.net\/[\w-]+\/fbevents\.js/.test(url)) return META;
  if (/^https:\/\/www\.googletagmanager\.com\/gtag\/js\?/.test(url))
    return `if (!window.complianceGoogleStub) { window.complianceGoogleStub = true; ${GOOGLE} }`;
  return null;
}
