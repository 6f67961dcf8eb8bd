import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listScripts } from './list-scripts.ts';

describe('listScripts', () => {
  it('lists the scripts that a browser would recognize, in page order', () => {
    const html = `<!-- <script src="comment.js"></script> --><SCRIPT SRC='a.js?x=1&amp;y=2'></SCRIPT>
      <textarea><script src="text.js"></script></textarea>
      <script>document.write('<script src="written.js"><\\/script>')</script>
      <script type="text/rocketscript" data-src="parked.js"></script><script src=b.js async>`;
    expect(listScripts(html).sources).toEqual(['a.js?x=1&y=2', 'parked.js', 'b.js']);
  });

  it('returns the page’s first base URL', () => {
    expect(listScripts('<base href="/a/"><base href="/b/">').base).toBe('/a/');
    expect(listScripts('<base target="_blank">').base).toBeNull();
  });

  it('returns each Google tag ID in inline scripts only once, and ignores tag IDs in page text', () => {
    const html = `<script>gtm('GTM-ABC123');gtag('config','G-ABCDEF1234');gtag('config',"AW-123456789");gtm('GTM-ABC123')</script>
      <p>GTM-TEXT12</p>`;
    expect(listScripts(html).googleTags).toEqual(['GTM-ABC123', 'G-ABCDEF1234', 'AW-123456789']);
  });

  it('returns at most one thousand scripts and one thousand tags, and counts the rest', () => {
    const tags = Array.from({ length: 1_005 }, (_, index) => `GTM-A${String(index).padStart(4, '0')}`);
    const listing = listScripts(`${'<script src=a.js></script>'.repeat(2_000)}<script>${tags.join()}</script>`);
    expect(listing.sources).toHaveLength(1_000);
    expect(listing.googleTags).toHaveLength(1_000);
    expect(listing.more).toBe(1_005);
  });
});

describe('listScripts with input that is hard to parse', () => {
  it.each([
    ['a million identical characters', 'a'.repeat(1e6)],
    ['a hundred thousand nested elements', '<div>'.repeat(1e5)],
    ['a million open brackets', '<'.repeat(1e6)],
    ['an unclosed script', `<script>${'G-A '.repeat(250_000)}`],
    ['250,000 incomplete tag IDs', `<script>${'GTM-'.repeat(250_000)}</script>`],
    ['unclosed comments', '<!--'.repeat(250_000)],
    ['a thousand levels of svg and math', '<svg><math>'.repeat(1_000)],
  ])('parses %s without throwing an error', (_, html) => {
    expect(listScripts(html).sources).toEqual([]);
  });

  it('parses arbitrary text without throwing an error', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '</script',
      '<script ',
      'src=',
      '"',
      "'",
      '<!--',
      '-->',
      '<base href=',
      'x',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary' }))), parts => {
        expect(Array.isArray(listScripts(parts.join('')).sources)).toBe(true);
      }),
    );
  });
});
