import { siteOf } from './address/site.ts';
import type { Transport } from './connect/transport.ts';
import { userAgent } from './contact.ts';
import type { FetchOptions } from './crawler.ts';
import { openCrawlSession } from './http/session.ts';
import { defaultCrawlLimits } from './limits.ts';
import { createRobotsCheck } from './robots/robots.ts';

/** Reads robots.txt files for a program that fetches pages without this crawler, such as a browser. */
export type RobotsReader = {
  /** Returns whether a host's robots.txt file allows a URL to be fetched, or false if the file can't be checked. */
  allows(url: URL): Promise<boolean>;
  close(): Promise<void>;
};

/**
 * Opens a reader for one site's robots.txt files. The reader requests each file once, with the same SSRF protection and
 * limits as a scan.
 *
 * @param start a URL on the site
 * @param limits changes to the default limits, such as a longer `totalMs` for a long visit
 * @throws TypeError if `contact` isn't an HTTPS or mailto URL
 * @example
 * const robots = openRobotsReader(publicTransport, new URL('https://shop.example/'), { contact, pool });
 * await robots.allows(new URL('https://shop.example/cart')); // false
 * await robots.close();
 */
export function openRobotsReader(
  transport: Transport,
  start: URL,
  { contact, pool, limits, ...options }: Omit<FetchOptions, 'googleTags'>,
): RobotsReader {
  const session = openCrawlSession(transport, { ...defaultCrawlLimits, ...limits }, userAgent(contact), {
    ...options,
    site: siteOf(start),
  });
  const mayVisit = createRobotsCheck(session, pool);
  return {
    allows: url =>
      mayVisit(url).then(
        () => true,
        () => false,
      ),
    close: () => session.guard.agent.destroy(),
  };
}
