import robotsParser from 'robots-parser';

// The package's types describe a default export; what it exports is the function itself.
const parse = robotsParser as unknown as (
  robotsUrl: string,
  text: string,
) => { isAllowed(url: string, product: string): boolean | undefined };

/** One question to one robots.txt. `robotsUrl` is where it applies, `url` lies on the same origin. */
export type RobotsQuestion = { robotsUrl: string; text: string; url: string; product: string };

/**
 * Says whether a robots.txt lets our product fetch a URL (RFC 9309).
 *
 * Runs in the pool: the file is a stranger's, and a hostile one of 100 KB takes the parser over a gigabyte.
 *
 * @example allows({ robotsUrl: 'https://shop.example/robots.txt', text: 'User-agent: *\nDisallow: /cart', url: 'https://shop.example/cart', product: 'X' }) // false
 */
export function allows({ robotsUrl, text, url, product }: RobotsQuestion): boolean {
  return parse(robotsUrl, text).isAllowed(url, product) ?? true;
}
