import robotsParser from 'robots-parser';

// The type definitions of `robots-parser` declare a default export, but the package exports the function itself.
const parse = robotsParser as unknown as (
  robotsUrl: string,
  text: string,
) => { isAllowed(url: string, product: string): boolean | undefined };

/**
 * A robots.txt file, and a URL of the same origin to check against it. `robotsUrl` is the file's URL, and `url` is the
 * URL to check.
 */
export type RobotsQuestion = { robotsUrl: string; text: string; url: string; product: string };

/**
 * Returns whether a robots.txt file allows this crawler to fetch a URL (RFC 9309).
 *
 * Runs in the pool, because the file is untrusted: a malicious 100 KB file can make the parser use more than a gigabyte
 * of memory.
 *
 * @example allows({ robotsUrl: 'https://shop.example/robots.txt', text: 'User-agent: *\nDisallow: /cart', url: 'https://shop.example/cart', product: 'X' }) // false
 */
export function allows({ robotsUrl, text, url, product }: RobotsQuestion): boolean {
  return parse(robotsUrl, text).isAllowed(url, product) ?? true;
}
