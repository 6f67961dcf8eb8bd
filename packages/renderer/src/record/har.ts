import type { Entry, Har } from 'har-format';
import type { RecordedRequest } from './visit-requests.ts';

/** Program that writes an HTTP Archive. */
interface HarCreator {
  readonly name: string;
  readonly version: string;
}

/**
 * Returns a rendering's requests as an HTTP Archive (HAR 1.2), which browsers' developer tools can import. Each page of
 * the archive is one step of a visit. Cookies, credentials, and response bodies aren't included.
 *
 * Source: http://www.softwareishard.com/blog/har-12-spec/, checked 2026-11-23.
 *
 * @example await writeFile('shop.har', JSON.stringify(harOf(rendering.requests, { name: 'compliance', version })))
 */
export function harOf(requests: readonly RecordedRequest[], creator: HarCreator): Har {
  const pages = [...Map.groupBy(requests, pageId)].map(([id, [first]]) => ({
    ...{ id, title: `${id}: ${first!.url}`, startedDateTime: isoTime(first!), pageTimings: {} },
  }));
  return { log: { version: '1.2', creator: { ...creator }, pages, entries: requests.map(entryOf) } };
}

const pageId = ({ phase, step }: RecordedRequest): string => (step === 'page' ? phase : `${phase} ${step}`);

const isoTime = ({ startedAt }: RecordedRequest): string => new Date(startedAt).toISOString();

/** Value for unknown sizes and times, according to the specification. */
const UNKNOWN = -1;

function entryOf(request: RecordedRequest): Entry {
  const { url, method, headers, body, response, error, blocked, ms, type } = request;
  const parameters = URL.parse(url)?.searchParams ?? [];
  return {
    pageref: pageId(request),
    startedDateTime: isoTime(request),
    time: ms ?? 0,
    request: {
      ...{ method, url, httpVersion: 'unknown', cookies: [], headers: headers.map(namedValue) },
      queryString: [...parameters].map(namedValue),
      ...{ headersSize: UNKNOWN, bodySize: body === null ? 0 : UNKNOWN },
      ...(body !== null && { postData: { mimeType: contentType(headers), text: body } }),
    },
    response: {
      ...{ status: response?.status ?? 0, statusText: response?.statusText ?? '', httpVersion: 'unknown', cookies: [] },
      headers: (response?.headers ?? []).map(namedValue),
      content: { size: response?.bytes ?? 0, mimeType: response?.mimeType ?? 'x-unknown' },
      ...{ redirectURL: headerValue(response?.headers ?? [], 'location'), headersSize: UNKNOWN, bodySize: UNKNOWN },
      ...(error !== null && { comment: blocked === null ? error : `${error} (${blocked})` }),
    },
    cache: {},
    timings: { send: 0, wait: ms ?? 0, receive: 0 },
    _resourceType: type.toLowerCase() as NonNullable<Entry['_resourceType']>,
  };
}

const namedValue = ([name, value]: readonly [string, string]): { name: string; value: string } => ({ name, value });

const headerValue = (headers: RecordedRequest['headers'], wanted: string): string =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';

const contentType = (headers: RecordedRequest['headers']): string =>
  headerValue(headers, 'content-type') || 'application/octet-stream';
