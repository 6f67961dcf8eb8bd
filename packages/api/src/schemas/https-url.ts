const HOST = String.raw`(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}`;
const CHARACTER = '(?:[0-9A-Za-z/._~-]|%[0-9A-Fa-f]{2})';
const URL = `https://${HOST}(?:/${CHARACTER}*(?:[?](?:${CHARACTER}|[&=+])*)?)?`;

/**
 * JSON Schema pattern for HTTPS URLs that the service calls. The service also accepts some URLs that the pattern
 * doesn't match.
 */
export const HTTPS_URL_PATTERN = `^${URL}$`;

/** JSON Schema pattern for a file URL: an HTTPS URL or an S3 object URL. */
export const FILE_URL_PATTERN = `^(?:${URL}|s3://[a-z0-9](?:[a-z0-9.-]{1,61}[a-z0-9])/${CHARACTER}+)$`;
