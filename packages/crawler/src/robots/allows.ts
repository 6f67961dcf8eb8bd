import robotsParser from 'robots-parser';

// The package's types declare a default export, but the package exports the function itself.
const parse = robotsParser as unknown as (
  robotsUrl: string,
  text: string,
) => { isAllowed(url: string, product: string): boolean | undefined };

/** A query about a robots.txt file. `robotsUrl` is the file's URL, and `url` is a URL with the same origin. */
export type RobotsQuestion = { robotsUrl: string; text: string; url: string; product: string };

/**
 * Returns whether a robots.txt file allows this crawler to fetch a URL (RFC 9309).
 *
 * Runs in the pool, because the file is untrusted: a malicious 100 KB file makes the parser use more than a gigabyte of
 * memory.
 *
 * @example allows({ robotsUrl: 'https://shop.example/robots.txt', text: 'User-agent: *\nDisallow: /cart', url: 'https://shop.example/cart', product: 'X' }) // false
 */
export function allows({ robotsUrl, text, url, product }: RobotsQuestion): boolean {
  return parse(robotsUrl, text).isAllowed(url, product) ?? true;
}
