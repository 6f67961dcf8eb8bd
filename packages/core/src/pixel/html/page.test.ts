import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, html, parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { LineIndex } from './line-index.ts';
import { parsePage } from './page.ts';
import { reachability } from './reachability.ts';
import { isSameOrSubdomain, looseUrl } from './url.ts';

const script = (markup: string) => parsePage(markup).elements.find(e => e.tag === 'script')!;

/** Returns the scripts and styles in a tree that parse5 built without our adapter. */
function codeElements(node: DefaultTreeAdapterTypes.Node): object[] {
  if (!('childNodes' in node) || ['template', 'textarea', 'pre', 'noscript'].includes(node.nodeName)) return [];
  const inner = node.childNodes.flatMap(codeElements);
  if (!('tagName' in node) || !['script', 'style'].includes(node.tagName)) return inner;
  const offset = node.sourceCodeLocation?.startOffset ?? 0;
  const texts = node.childNodes.filter(child => 'value' in child);
  const tag = node.namespaceURI === html.NS.HTML ? node.tagName : `${node.tagName}:foreign`;
  const text = texts.map(({ value }) => value).join('');
  return [{ tag, text, offset, textOffset: texts[0]?.sourceCodeLocation?.startOffset ?? offset }, ...inner];
}

describe('parsePage', () => {
  it('assigns content to the head, body, and noscript elements the way a browser with scripts enabled does', () => {
    const { elements } = parsePage(
      '<head><noscript><iframe src="a"></iframe></noscript><script>1</script></head><body><img src="b"></body>',
    );
    expect(elements.find(e => e.tag === 'iframe')).toMatchObject({ inHead: true, inNoscript: true });
    expect(elements.find(e => e.tag === 'script')).toMatchObject({ inHead: true, inNoscript: false, text: '1' });
    expect(elements.find(e => e.tag === 'img')).toMatchObject({ inHead: false });
  });

  it('returns correct page offsets inside a noscript element and after CRLF line endings', () => {
    const html = '<p>\r\n</p>\r\n<noscript>\r\n<img src="x"></noscript><script>\r\nfbq()</script>';
    const { elements, lines } = parsePage(html);
    expect(lines.at(elements.find(e => e.tag === 'img')!.offset)).toEqual({ line: 4, column: 1 });
    const found = elements.find(e => e.tag === 'script')!;
    expect(lines.at(found.textOffset + found.text.indexOf('fbq'))).toEqual({ line: 5, column: 1 });
  });

  it('ignores scripts in templates, comments, and text areas', () => {
    const { elements } = parsePage(
      '<template><script>1</script></template><!--<script>2</script>--><textarea><script>3</script></textarea>',
    );
    expect(elements.filter(e => e.tag === 'script')).toEqual([]);
  });

  it('stops parsing at the limits for nesting depth and attribute count', () => {
    expect(parsePage('<div>'.repeat(20_000)).truncated).toBe(true);
    const attributes = Array.from({ length: 40_000 }, (_, i) => `a${i}`).join(' ');
    expect(parsePage(`<p>x</p><a ${attributes}>`).truncated).toBe(true);
    expect(parsePage('<div>'.repeat(100)).truncated).toBe(false);
  });

  it('finds the same scripts and styles at the same offsets as parse5 without our adapter', () => {
    const pieces = [
      '<script>',
      '<style>',
      '<script type="a>b">',
      '</script>',
      '</style>',
      '<!--',
      '-->',
      '<svg>',
      '</svg>',
    ];
    const markup = fc.array(
      fc.oneof(
        fc.constantFrom(
          ...pieces,
          '<noscript>',
          '</noscript>',
          '<textarea>',
          '<template>',
          '<table>',
          '<select>',
          '<b>',
        ),
        fc.constantFrom(
          '<script',
          '<style ',
          'a < b',
          '</',
          '<!',
          '\0',
          '\n',
          'é😀',
          '<p>',
          '</scr',
          '"',
          '>',
          'fbq()',
        ),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(markup, parts => {
        const page = parts.join('');
        const code = parsePage(page)
          .elements.filter(({ tag, inNoscript }) => /^(script|style)/.test(tag) && !inNoscript)
          .map(({ tag, text, offset, textOffset }) => ({ tag, text, offset, textOffset: text ? textOffset : offset }));
        expect(code).toEqual(codeElements(parse(page, { sourceCodeLocationInfo: true })));
      }),
      { numRuns: 2_000 },
    );
  });

  it('converts offsets to lines and columns', () => {
    const lines = new LineIndex('ab\n\ncd');
    expect([0, 1, 2, 3, 4, 5].map(o => lines.at(o))).toMatchObject([
      { line: 1, column: 1 },
      { column: 2 },
      { column: 3 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
      { column: 2 },
    ]);
  });
});

describe('reachability', () => {
  it.each([
    ['<script>', 'run'],
    ['<script type="module">', 'run'],
    ['<script type="TEXT/JavaScript; charset=utf-8">', 'run'],
    ['<script type="0123456789abcdef01234567-text/javascript">', 'run'],
    ['<script type="0123456789abcdef01234567-">', 'run'],
    ['<script type="rocketlazyloadscript">', 'later'],
    ['<script type="text/partytown">', 'later'],
    ['<script type="lazyload_int">', 'later'],
    ['<script type="text/plain" data-category="ads">', 'gated'],
    ['<script type="text/plain" class="optanon-category-C0002">', 'gated'],
    ['<script type="text/plain">', 'inert'],
    ['<script type="didomi/javascript">', 'gated'],
    ['<script type="javascript/blocked">', 'gated'],
    ['<script type="application/json">', 'inert'],
    ['<script type="application/ld+json">', 'inert'],
    ['<script type="importmap">', 'inert'],
    ['<script type="text/template">', 'inert'],
    ['<script nomodule>', 'inert'],
  ])('classifies the script element %s as %s', (tag, state) => {
    expect(reachability(script(`${tag}x</script>`))).toBe(state);
  });
});

describe('looseUrl', () => {
  it.each([
    ['https://www.a.example:8443/x/y.js?id=1&l=b%20c#f', 'www.a.example', '/x/y.js', 'b c'],
    ['//A.example/?l=1', 'a.example', '/', '1'],
    ['../../a.example/x.js?l=2', 'a.example', '/x.js', '2'],
    ['/x.js', '', '/x.js', undefined],
    ['https://user@a.example/x', 'a.example', '/x', undefined],
    ['\u0000google-analytics.com/ga.js', 'google-analytics.com', '/ga.js', undefined],
    ['https://a.example/%zz?l=%zz', 'a.example', '/%zz', '%zz'],
  ])('splits the URL %s into its host, path, and query', (text, host, path, l) => {
    const url = looseUrl(text);
    expect([url.host, url.path, url.params.get('l')]).toEqual([host, path, l]);
  });

  it('matches subdomains, but not other domains with the same ending', () => {
    expect(isSameOrSubdomain('www.facebook.com', 'facebook.com')).toBe(true);
    expect(isSameOrSubdomain('notfacebook.com', 'facebook.com')).toBe(false);
  });
});
