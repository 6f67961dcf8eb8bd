import { toString as textOf } from 'mdast-util-to-string';
import type { MarkdownPage } from '../pages/pages.ts';

/**
 * Returns a page's first paragraph on one line, without markup, or an empty string if the page doesn't have a
 * paragraph.
 */
function summaryOf({ tree }: MarkdownPage): string {
  const paragraph = tree.children.find(({ type }) => type === 'paragraph');
  return paragraph ? textOf(paragraph).replace(/\s+/g, ' ') : '';
}

/**
 * Returns the content of `llms.txt`: the documentation's title and summary, then one line per page, grouped by folder.
 * Format: https://llmstxt.org
 *
 * @example llmsText(pages, 'https://docs.example').startsWith('# Portfolio Compliance') // true
 */
export function llmsText(pages: readonly MarkdownPage[], origin: string): string {
  const overview = pages.find(({ path }) => path === 'README.md')!;
  const groups = Map.groupBy(pages, ({ path }) => path.split('/').slice(0, -1).join('/') || 'Overview');
  const sections = [...groups].map(([folder, group]) => {
    const lines = group.map(page => `- [${page.title}](${origin}/${page.path}): ${summaryOf(page)}`.replace(/: $/, ''));
    return `## ${folder}\n\n${lines.join('\n')}`;
  });
  return `# ${overview.title}\n\n> ${summaryOf(overview)}\n\n${sections.join('\n\n')}\n`;
}

/** Returns a sitemap with the URL of every page. Format: https://www.sitemaps.org/protocol.html */
export function sitemap(pages: readonly MarkdownPage[], origin: string): string {
  const urls = pages.map(({ path }) => `  <url><loc>${encodeURI(`${origin}/${path}`)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
}
