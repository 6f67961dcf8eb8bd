import type { Dataset } from '@compliance/core/tariff';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { html, raw } from 'hono/html';
import type { Html } from '../pages/page.ts';
import { CHANGES_PATH, type ChangeEntry, changeDetails, changeEntries, FEED_PATHS } from './changes.ts';

/** Feed dependencies. */
interface FeedDeps {
  /** Returns the data set for a request. */
  dataset: () => Dataset;
  /** The public base URL of the service (default: the request's origin). */
  baseUrl?: string | undefined;
}

const TITLE = 'Section 232 list changes';
const PUBLISHER = 'Portfolio Compliance';

/** Characters that XML 1.0 doesn't allow, even if they're escaped. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/**
 * Creates the Atom feed (RFC 4287) and the JSON Feed (version 1.1) of list changes. Both have an entry for the data set
 * and one for each effective date.
 *
 * The responses have an `ETag` so that clients can revalidate them. `Last-Modified` is the date through which the data
 * set is current. Because two data sets can have the same date, `Last-Modified` never results in a `304` response.
 *
 * @example
 * app.route('/', feedRoutes({ dataset: () => DATASET, baseUrl: 'https://compliance.example' }));
 */
export function feedRoutes({ dataset: currentDataset, baseUrl }: FeedDeps): Hono {
  const app = new Hono();
  const feeds = [
    [FEED_PATHS.atom, 'application/atom+xml; charset=utf-8', atomFeed],
    [FEED_PATHS.json, 'application/feed+json; charset=utf-8', jsonFeed],
  ] as const;
  for (const [path, type, render] of feeds) {
    app.use(path, etag());
    app.get(path, async c => {
      const dataset = currentDataset();
      const base = baseUrl?.replace(/\/$/, '') ?? new URL(c.req.url).origin;
      c.header('Content-Type', type);
      c.header('Cache-Control', 'public, max-age=300');
      c.header('Last-Modified', new Date(dataset.known_through).toUTCString());
      return c.body(`${await render(dataset, base)}`);
    });
  }
  return app;
}

function atomFeed(dataset: Dataset, base: string): Html {
  return html`${raw('<?xml version="1.0" encoding="utf-8"?>')}
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-US">
<id>${base}${FEED_PATHS.atom}</id>
<title>${TITLE}</title>
<updated>${timeOf(dataset.known_through)}</updated>
<author><name>${PUBLISHER}</name></author>
<link rel="self" type="application/atom+xml" href="${base}${FEED_PATHS.atom}"/>
<link rel="alternate" type="text/html" href="${base}${CHANGES_PATH}"/>
${changeEntries(dataset).map(
  entry => html`<entry>
<id>${urlOf(entry, base)}</id>
<title>${xmlText(entry.title)}</title>
<updated>${timeOf(updatedOn(entry, dataset))}</updated>
<link rel="alternate" type="text/html" href="${urlOf(entry, base)}"/>
<content type="html">${xmlText(`${changeDetails(entry)}`)}</content>
</entry>
`,
)}</feed>
`;
}

function jsonFeed(dataset: Dataset, base: string): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: TITLE,
    home_page_url: `${base}${CHANGES_PATH}`,
    feed_url: `${base}${FEED_PATHS.json}`,
    language: 'en-US',
    authors: [{ name: PUBLISHER }],
    items: changeEntries(dataset).map(entry => ({
      id: urlOf(entry, base),
      url: urlOf(entry, base),
      title: entry.title,
      content_html: `${changeDetails(entry)}`,
      date_modified: timeOf(updatedOn(entry, dataset)),
      _compliance: { effective_from: entry.date, citations: entry.citations, data_set: dataset.version },
    })),
  });
}

function urlOf({ fragment }: ChangeEntry, base: string): string {
  return `${base}${CHANGES_PATH}#${fragment}`;
}

/**
 * Returns the date of an entry's last change. For a scheduled change, this is the date through which the data set is
 * current.
 */
function updatedOn({ date }: ChangeEntry, { known_through }: Dataset): string {
  return date < known_through ? date : known_through;
}

function timeOf(date: string): string {
  return `${date}T00:00:00Z`;
}

/** Removes the characters that XML doesn't allow. The template escapes the remaining text. */
function xmlText(text: string): string {
  return text.replace(NOT_IN_XML, '');
}
