import { createIndex } from 'pagefind';

/** A rendered page to index. */
export interface SearchablePage {
  /** Path relative to the site root, such as `/docs/guides/embed.md`. */
  readonly url: string;
  /** The complete HTML document. Only the element with the `data-pagefind-body` attribute is indexed. */
  readonly content: string;
}

/**
 * Builds a Pagefind index in memory and returns its files by path, such as `pagefind.js`.
 *
 * @throws `Error` with Pagefind's messages if a page can't be indexed
 * @example (await buildSearchIndex([{ url: '/', content: '<html>…' }])).has('pagefind.js') // true
 */
export async function buildSearchIndex(pages: readonly SearchablePage[]): Promise<Map<string, Uint8Array>> {
  const { index, errors } = await createIndex({ writePlayground: false });
  if (!index) throw new Error(errors.join('\n'));
  for (const page of pages) {
    const added = await index.addHTMLFile(page);
    if (added.errors.length > 0) throw new Error(added.errors.join('\n'));
  }
  const built = await index.getFiles();
  if (built.errors.length > 0) throw new Error(built.errors.join('\n'));
  return new Map(built.files.map(({ path, content }) => [path, content]));
}
