import type { Browser } from 'playwright-core';

/** Returns a script that records the calls in a queue. */
const queueOf = (vendor: string, queue: string): string =>
  `for (const args of ${queue}) calls.push(['${vendor}', ...args]);`;

/**
 * Replacements for vendor scripts. Each replacement records the calls that the real script would process: those already
 * in the vendor's queue and any later calls.
 */
const VENDOR_SCRIPTS: readonly (readonly [url: RegExp, script: string])[] = [
  [
    /^https:\/\/connect\.facebook\.net\/.*\/fbevents\.js/,
    `(() => {
      const queued = window.fbq.queue;
      window.fbq.callMethod = (...args) => calls.push(['meta', ...args]);
      for (const args of queued) window.fbq.callMethod(...args);
    })();`,
  ],
  [
    /^https:\/\/www\.googletagmanager\.com\/gtag\/js/,
    `(() => {
      const layer = (window.dataLayer ??= []);
      const record = entry => {
        if (String(entry) === '[object Arguments]') calls.push(['google', ...entry]);
      };
      layer.forEach(record);
      layer.push = (...entries) => entries.forEach(record);
    })();`,
  ],
  [
    /^https:\/\/analytics\.tiktok\.com\/i18n\/pixel\/events\.js/,
    `calls.push(['tiktok', 'init', new URL(document.currentScript.src).searchParams.get('sdkid')]);
    for (const args of window.ttq.splice(0)) calls.push(['tiktok', ...args]);
    window.ttq.push = args => calls.push(['tiktok', ...args]);`,
  ],
  [
    /^https:\/\/s\.pinimg\.com\/ct\/core\.js/,
    `for (const [command, ...args] of window.pintrk.queue)
      calls.push(['pinterest', command === 'load' ? 'init' : command, ...args]);`,
  ],
  [/^https:\/\/sc-static\.net\/scevent\.min\.js/, queueOf('snapchat', 'window.snaptr.queue')],
  [/^https:\/\/www\.redditstatic\.com\/ads\/pixel\.js/, queueOf('reddit', 'window.rdt.callQueue')],
  [/^https:\/\/static\.ads-twitter\.com\/uwt\.js/, queueOf('x', 'window.twq.queue')],
  [
    /^https:\/\/snap\.licdn\.com\/li\.lms-analytics\/insight\.min\.js/,
    `for (const id of window._linkedin_data_partner_ids) calls.push(['linkedin', 'init', id]);
    for (const [command, event] of window.lintrk.q) calls.push(['linkedin', command, event.conversion_id]);`,
  ],
];

/** A recorded call: the vendor, followed by the call's arguments. */
export type VendorCall = readonly [vendor: string, ...args: unknown[]];

/**
 * Opens a page in a browser and returns the calls that have reached the vendor scripts by the time the page loads.
 * No request leaves the machine: stubs replace the vendor scripts, and all other requests fail.
 */
export async function recordCalls(browser: Browser, html: string): Promise<VendorCall[]> {
  const page = await browser.newPage();
  try {
    await page.addInitScript('window.calls = [];');
    await page.route('**/*', route => {
      const url = route.request().url();
      if (url === 'https://shop.example/') return route.fulfill({ contentType: 'text/html', body: html });
      const script = VENDOR_SCRIPTS.find(([pattern]) => pattern.test(url))?.[1];
      return script ? route.fulfill({ contentType: 'text/javascript', body: script }) : route.abort();
    });
    await page.goto('https://shop.example/', { waitUntil: 'load' });
    return await page.evaluate('JSON.parse(JSON.stringify(window.calls))');
  } finally {
    await page.close();
  }
}
