import { DATASET, type Dataset, effectiveChanges } from '@compliance/core/tariff';
import { bundledDataset, hashOf, loadDataset } from '@compliance/core/tariff/dataset';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../testing/service.ts';
import { FEED_PATHS } from './changes.ts';

const BASE = 'https://compliance.example';

let service: Awaited<ReturnType<typeof startService>>;
let dataset: Dataset = DATASET;
beforeAll(async () => {
  service = await startService({ baseUrl: `${BASE}/`, dataset: () => dataset });
});
afterAll(() => service.stop());

/** Returns a data set with a new version and with text that contains markup and characters that XML doesn't allow. */
function hostileDataset(): Dataset {
  const copy = structuredClone(bundledDataset());
  copy.version = '2099.1.1';
  copy.latest_material = 'HTS <script>alert(1)</script> & "Revision" ]]> \u{1}\u{FFFE}10';
  copy.programs.steel = '<img src=x onerror=alert(1)>';
  return loadDataset({ ...copy, sha256: hashOf(copy) });
}

interface AtomEntry {
  id: string;
  title: string;
  updated: string;
  link: { rel: string; href: string };
  content: { type: string; '#text': string };
}

async function atom() {
  const response = await service.get(FEED_PATHS.atom);
  const text = await response.text();
  expect(XMLValidator.validate(text)).toBe(true);
  const options = { ignoreAttributes: false, attributeNamePrefix: '', parseTagValue: false, trimValues: false };
  return { response, text, feed: new XMLParser(options).parse(text).feed };
}

async function json() {
  const response = await service.get(FEED_PATHS.json);
  return { response, feed: JSON.parse(await response.text()) };
}

/** Checks that a feed has the elements that RFC 4287 requires, with the values that this service uses. */
function checkAtom(feed: Record<string, unknown> & { entry: AtomEntry[] }) {
  expect(feed.xmlns).toBe('http://www.w3.org/2005/Atom');
  expect(feed.id).toBe(`${BASE}/lists/changes.atom`);
  expect(feed).toMatchObject({ title: expect.any(String), author: { name: expect.any(String) } });
  expect(feed.link).toContainEqual(expect.objectContaining({ rel: 'self', href: `${BASE}/lists/changes.atom` }));
  const ids = feed.entry.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, title, updated, link, content } of feed.entry) {
    expect(id).toMatch(/^https:\/\/compliance\.example\/docs\/lists\/changes#[\w.-]+$/);
    expect(title.trim()).not.toBe('');
    expect(updated).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/);
    expect(updated <= (feed.updated as string)).toBe(true);
    expect(link).toMatchObject({ rel: 'alternate', href: id });
    expect(content.type).toBe('html');
  }
}

describe('the tariff list change feeds', () => {
  it('serves a valid Atom feed with entries and citations for the data set and each effective date', async () => {
    dataset = DATASET;
    const { response, feed } = await atom();
    expect(response.headers.get('Content-Type')).toBe('application/atom+xml; charset=utf-8');
    checkAtom(feed);
    const changes = effectiveChanges();
    expect(feed.entry).toHaveLength(changes.length + 1);
    expect(feed.entry[0].title).toBe(`Data set ${DATASET.version}`);
    for (const { date, citations } of changes) {
      const entry: AtomEntry = feed.entry.find(({ id }: AtomEntry) => id.endsWith(`#from-${date}`));
      const decoded = entry.content['#text'].replaceAll('&lt;', '<').replaceAll('&gt;', '>');
      expect(decoded).toContain(citations[0]!);
    }
  });

  it('serves a JSON Feed with the same entries', async () => {
    dataset = DATASET;
    const { response, feed } = await json();
    expect(response.headers.get('Content-Type')).toBe('application/feed+json; charset=utf-8');
    expect(feed).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: expect.any(String),
      home_page_url: `${BASE}/docs/lists/changes`,
      feed_url: `${BASE}/lists/changes.json`,
    });
    const entries: AtomEntry[] = (await atom()).feed.entry;
    const items: { id: string; title: string; date_modified: string }[] = feed.items;
    expect(items.map(item => [item.id, item.date_modified])).toEqual(entries.map(({ id, updated }) => [id, updated]));
    expect(items.find(({ id }) => id.endsWith('#from-2027-01-01'))).toMatchObject({
      content_html: expect.stringContaining('Kitchen cabinets'),
      _compliance: { effective_from: '2027-01-01', citations: expect.arrayContaining([expect.any(String)]) },
    });
  });

  it('escapes text from the data set and removes characters that XML doesn’t allow', async () => {
    dataset = hostileDataset();
    const { text, feed } = await atom();
    checkAtom(feed);
    for (const forbidden of ['<script', '<img', '\u0001', '\uFFFE']) expect(text).not.toContain(forbidden);
    const items: { content_html: string }[] = (await json()).feed.items;
    for (const { content_html } of items) expect(content_html).not.toMatch(/<script|<img/);
  });

  it.each(Object.values(FEED_PATHS))(
    'returns 304 for a repeated request for %s until the data set changes',
    async path => {
      dataset = DATASET;
      const first = await service.get(path);
      expect(first.headers.get('Last-Modified')).toBe(new Date(DATASET.known_through).toUTCString());
      expect(first.headers.get('Cache-Control')).toBe('public, max-age=300');
      const headers = { 'If-None-Match': first.headers.get('ETag')! };
      expect((await service.get(path, { headers })).status).toBe(304);
      dataset = hostileDataset();
      expect((await service.get(path, { headers })).status).toBe(200);
    },
  );

  it('links each entry to its section of the changes page', async () => {
    dataset = DATASET;
    const page = await (await service.get('/docs/lists/changes')).text();
    for (const { id } of (await atom()).feed.entry) expect(page).toContain(`id="${id.split('#')[1]}"`);
    expect(await (await service.get('/docs/lists')).text()).toContain('href="/docs/lists/changes"');
  });

  it('lets feed readers find the feeds on every list page, but not on other pages', async () => {
    dataset = DATASET;
    const alternates = async (path: string) => {
      const page = await (await service.get(path)).text();
      const links = page
        .slice(0, page.indexOf('</head>'))
        .matchAll(/<link rel="alternate" type="([^"]+)" title="[^"]+" href="([^"]+)">/g);
      return [...links].map(([, type, href]) => [type, href]);
    };
    const feeds = [
      ['application/atom+xml', FEED_PATHS.atom],
      ['application/feed+json', FEED_PATHS.json],
    ];
    for (const path of ['/docs/lists', '/docs/lists/changes', '/docs/lists/buses-38c'])
      expect([path, await alternates(path)]).toEqual([path, feeds]);
    for (const [type, href] of feeds) expect((await service.get(href!)).headers.get('Content-Type')).toContain(type);
    expect(await alternates('/docs/rules')).toEqual([]);
  });
});
