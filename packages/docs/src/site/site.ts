import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { type Html, page, pageHeaders, STYLE, STYLESHEET } from '@compliance/api/pages';
import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import { pagePaths, ROOT, readPage, targetOf } from '../pages/pages.ts';
import { articleOf } from './article.ts';
import { LAYOUT } from './layout.ts';

/** The index of the documentation: what it links to is the way around the site. */
const INDEX = 'docs/README.md';

/**
 * The documentation as a site: every page of Markdown at its own path, and the files that pages link to. All else of the
 * repository is not there. A page is read when it is asked for, so what was written is seen on reload.
 *
 * @example serve({ fetch: createSite().fetch, port: 8789, hostname: '127.0.0.1' });
 */
export function createSite(): Hono {
  const pages = pagePaths();
  const linked = new Set(
    pages.map(readPage).flatMap(read => read.links.flatMap(({ address }) => targetOf(read, address)?.path ?? [])),
  );
  const site = new Hono();
  site.use(pageHeaders(undefined));
  site.get(STYLESHEET, c => c.body(STYLE + LAYOUT, 200, { 'Content-Type': 'text/css; charset=utf-8' }));
  site.get('*', c => {
    const path = decodeURIComponent(c.req.path).replace(/^\/|\/$/g, '');
    const own = [path, join(path, 'README.md')].find(name => pages.includes(name));
    // A folder is left by its slash, or the links of its page would lead beside it.
    if (own && own !== path && !c.req.path.endsWith('/')) return c.redirect(`${c.req.path}/`);
    if (own) {
      const read = readPage(own);
      return c.html(framed(own, read.title, articleOf(read)));
    }
    if (!isShown(path, linked)) return c.html(framed(path, 'No such page', html`<h1>There is no such page</h1>`), 404);
    const file = join(ROOT, path);
    if (extname(path) === '.png') return c.body(readFileSync(file), 200, { 'Content-Type': 'image/png' });
    return c.html(framed(path, path, statSync(file).isDirectory() ? listing(path) : source(path)));
  });
  return site;
}

/** Whether a page links to a file or folder, or to the folder that a file is in. */
function isShown(path: string, linked: ReadonlySet<string>): boolean {
  if (!existsSync(join(ROOT, path))) return false;
  return linked.has(path) || (linked.has(dirname(path)) && statSync(join(ROOT, path)).isFile());
}

function source(path: string): Html {
  return html`<h1 class="mono">${path}</h1><pre tabindex="0"><code>${readFileSync(join(ROOT, path), 'utf8')}</code></pre>`;
}

function listing(path: string): Html {
  const names = readdirSync(join(ROOT, path), { withFileTypes: true }).filter(entry => entry.isFile());
  return html`<h1 class="mono">${path}</h1><ul>${names.map(
    ({ name }) => html`<li><a href="/${path}/${name}"><code>${name}</code></a></li>\n`,
  )}</ul>`;
}

function framed(path: string, title: string, article: Html): Html {
  return page({
    title,
    home: '/',
    navigation: html`<nav class="tabs" aria-label="Documentation"><a href="#pages">All pages</a></nav>`,
    body: html`<div class="site"><article>${article}</article>
<nav id="pages" class="contents" aria-label="Pages">${contents(path)}</nav></div>`,
  });
}

/** The index's headings with the links below each; what stands before the first is for its own page. */
function contents(current: string): Html {
  const index = readPage(INDEX);
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
