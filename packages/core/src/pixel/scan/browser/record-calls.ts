import type { Browser } from 'playwright-core';

/**
 * Replacements for vendor scripts. Each one records the calls that the real script would process: those already in the
 * vendor's queue and those that follow.
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
];

/** A recorded call: the vendor, followed by the call's arguments. */
export type VendorCall = readonly [vendor: 'meta' | 'google', ...args: unknown[]];

/**
 * Opens a page in a browser and returns the calls that reach the vendor scripts until the page has loaded. No request
 * leaves the machine: stubs replace the vendor scripts, and all other requests fail.
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
