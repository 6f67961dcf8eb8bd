import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { type Html, PAGE_STYLE, page, STYLESHEET } from '@compliance/api/pages';
import { type Context, Hono } from 'hono';
import { html, raw } from 'hono/html';
import { secureHeaders } from 'hono/secure-headers';
import { pagePaths, REPOSITORY_ROOT, readMarkdownPage, targetOf } from '../pages/pages.ts';
import { buildSearchIndex } from '../search/search-index.ts';
import { searchField, searchResults } from '../search/search-page.ts';
import { articleOf } from './article.ts';
import { LAYOUT } from './layout.ts';
import { llmsText, sitemap } from './page-index.ts';

/** Path to the index page, whose links form the site's navigation. */
const INDEX = 'docs/README.md';

/**
 * Content security policy. Pages don't load resources from other sites, and only search uses scripts and WebAssembly.
 */
const POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
  connectSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
};

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' };

/**
 * Creates the documentation site. The site serves every Markdown page at its own path, as well as the files and folders
 * that pages link to, but nothing else in the repository. Pages are read on each request, so an edit appears when the
 * page is reloaded. The search index is built on the first search.
 *
 * @example serve({ fetch: createSite().fetch, port: 8789, hostname: '127.0.0.1' });
 */
export function createSite(): Hono {
  const paths = pagePaths();
  const linked = new Set(
    paths
      .map(readMarkdownPage)
      .flatMap(read => read.links.flatMap(({ address }) => targetOf(read, address)?.path ?? [])),
  );
  let searchIndex: Promise<Map<string, Uint8Array>> | undefined;
  const site = new Hono();
  site.use(secureHeaders({ contentSecurityPolicy: POLICY, xFrameOptions: 'DENY', strictTransportSecurity: false }));
  site.get(STYLESHEET, c => c.body(PAGE_STYLE + LAYOUT, 200, { 'Content-Type': 'text/css; charset=utf-8' }));

  site.get('/llms.txt', c => c.text(llmsText(paths.map(readMarkdownPage), originOf(c))));
  site.get('/sitemap.xml', c =>
    c.body(sitemap(paths.map(readMarkdownPage), originOf(c)), 200, { 'Content-Type': 'application/xml' }),
  );
  site.get('/search', c => c.html(framed('search', 'Search', searchResults(c.req.query('q') ?? ''), c.req.query('q'))));
  site.get('/search.js', c =>
    c.body(readFileSync(join(import.meta.dirname, '../search/search.js'), 'utf8'), 200, {
      'Content-Type': 'text/javascript',
    }),
  );
  site.get('/pagefind/*', async c => {
    searchIndex ??= buildSearchIndex(paths.map(path => ({ url: `/${path}`, content: articlePage(path).toString() })));
    const path = c.req.path.slice('/pagefind/'.length);
    const content = (await searchIndex).get(path);
    if (!content) return c.notFound();
    return c.body(new Uint8Array(content), 200, { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream' });
  });

  site.get('*', c => {
    const path = decodeURIComponent(c.req.path).replace(/^\/|\/$/g, '');
    const own = [path, join(path, 'README.md')].find(name => paths.includes(name));
    // Without the trailing slash, the page's relative links would resolve against the parent folder.
    if (own && own !== path && !c.req.path.endsWith('/')) return c.redirect(`${c.req.path}/`);
    if (own) return c.html(articlePage(own));
    if (!isShown(path, linked)) return c.html(framed(path, 'Page not found', html`<h1>Page not found</h1>`), 404);
    const file = join(REPOSITORY_ROOT, path);
    if (extname(path) === '.png') return c.body(readFileSync(file), 200, { 'Content-Type': 'image/png' });
    return c.html(framed(path, path, statSync(file).isDirectory() ? listing(path) : source(path)));
  });
  return site;
}

const originOf = (c: Context) => new URL(c.req.url).origin;

/** Returns whether any page links to the given file or folder, or to the folder that contains the given file. */
function isShown(path: string, linked: ReadonlySet<string>): boolean {
  if (!existsSync(join(REPOSITORY_ROOT, path))) return false;
  return linked.has(path) || (linked.has(dirname(path)) && statSync(join(REPOSITORY_ROOT, path)).isFile());
}

function articlePage(path: string): Html {
  const read = readMarkdownPage(path);
  return framed(path, read.title, articleOf(read));
}

function source(path: string): Html {
  return html`<h1 class="mono">${path}</h1><pre tabindex="0"><code>${readFileSync(join(REPOSITORY_ROOT, path), 'utf8')}</code></pre>`;
}

function listing(path: string): Html {
  const names = readdirSync(join(REPOSITORY_ROOT, path), { withFileTypes: true }).filter(entry => entry.isFile());
  return html`<h1 class="mono">${path}</h1><ul>${names.map(
    ({ name }) => html`<li><a href="/${path}/${name}"><code>${name}</code></a></li>\n`,
  )}</ul>`;
}

function framed(path: string, title: string, article: Html, query?: string): Html {
  return page({
    title,
    home: '/',
    navigation: html`<nav class="tabs" aria-label="Documentation"><a href="#pages">All pages</a></nav>${searchField(query)}`,
    body: html`<div class="site"><article data-pagefind-body>${article}</article>
<nav id="pages" class="contents" aria-label="Pages">${contents(path)}</nav></div>`,
  });
}

/**
 * Returns the navigation: the index page's headings and the links under each heading. Groups links that precede the
 * first heading under an empty heading.
 */
function contents(current: string): Html {
  const index = readMarkdownPage(INDEX);
  const groups = Map.groupBy(index.links, ({ line }) =>
    index.headings.findLast(({ heading }) => heading.position!.start.line < line),
  );
  return html`${[...groups].map(
    ([group, links]) =>
      html`<h2>${group?.text}</h2><ul>${links.map(({ address, text }) => {
        const target = targetOf(index, address)!.path;
        return html`<li><a href="/${target}"${target === current && raw(' aria-current="page"')}>${text}</a></li>\n`;
      })}</ul>`,
  )}`;
}
