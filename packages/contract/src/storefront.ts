import { z } from 'zod';

/** Maximum length of a URL, in characters. */
export const MAX_URL_LENGTH = 2048;

const LABEL = '(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)';
const TOP_LEVEL = '[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** Pattern for a character in a URL path, as defined by RFC 3986. */
const CHARACTER = "(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})";

/**
 * JSON Schema pattern for a URL that the crawler tries to fetch: HTTP or HTTPS, a domain, port 80 or 443, and no
 * username or password. The service also accepts other forms, such as a bare domain.
 */
const URL_PATTERN =
  `^[Hh][Tt][Tt][Pp][Ss]?://(?:${LABEL}[.]){1,3}${TOP_LEVEL}(?::(?:80|443))?` +
  `(?:/${CHARACTER}*)?(?:[?](?:${CHARACTER}|[?])*)?(?:#(?:${CHARACTER}|[?])*)?$`;

/** The URL of a storefront page, as specified in a request. The crawler decides whether the page can be fetched. */
export const storefrontUrl = z
  .string()
  .min(1, 'Enter the storefront URL.')
  .max(MAX_URL_LENGTH, `Enter a URL with ${MAX_URL_LENGTH} characters or fewer.`)
  .meta({ format: 'uri', pattern: URL_PATTERN, description: 'HTTP or HTTPS URL of the storefront page.' });
