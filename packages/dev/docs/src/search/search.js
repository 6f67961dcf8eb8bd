// Script for the search page. Replaces Pagefind's own interface, which uses inline styles that the site's content
// security policy blocks. The import uses a URL instead of a path, because Pagefind's files exist only on the running
// site.
const { search } = await import(new URL('/pagefind/pagefind.js', location).href);

const MAX_RESULTS = 20;
const status = document.querySelector('#status');
const list = document.querySelector('#results');
const query = new URLSearchParams(location.search).get('q')?.trim() ?? '';

/**
 * Renders one result. Pagefind escapes the excerpt and adds only `<mark>` tags. As a safeguard, everything else in the
 * excerpt is inserted as plain text, not HTML.
 */
function item({ url, meta, excerpt }) {
  const link = document.createElement('a');
  link.href = url;
  link.textContent = meta.title;
  const text = document.createElement('p');
  for (const [index, part] of excerpt.split(/<\/?mark>/).entries()) {
    const piece = index % 2 === 1 ? document.createElement('mark') : document.createElement('span');
    piece.textContent = new DOMParser().parseFromString(`<body>${part}`, 'text/html').body.textContent;
    text.append(piece);
  }
  const entry = document.createElement('li');
  entry.append(link, text);
  return entry;
}

if (query !== '') {
  status.textContent = 'Searching…';
  const { results } = await search(query);
  const shown = await Promise.all(results.slice(0, MAX_RESULTS).map(result => result.data()));
  list.replaceChildren(...shown.map(item));
  const found = results.length === 1 ? '1 page found.' : `${results.length} pages found.`;
  status.textContent =
    results.length === 0 ? `No pages match “${query}”. Try fewer words, or check the spelling.` : found;
}
