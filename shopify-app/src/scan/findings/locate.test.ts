import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locate } from './locate.ts';

describe('page code search', () => {
  const found: readonly (readonly [string, string, string, string])[] = [
    ['finds the exact text', '<script>\n  fbq("init", "1");', 'fbq("init", "1");', 'fbq'],
    ['finds text with different whitespace', 'a\n fbq( "init",\n\t"1234567" );', 'fbq("init", "1234567");', 'fbq'],
    ['finds text where Liquid printed a value', "fbq('init', '{{ settings.id }}');", "fbq('init', '731205');", 'fbq'],
    [
      'finds text where Liquid printed nothing',
      "fbq('init'{% if x %}, {}{% endif %});x()",
      "fbq('init', {});x()",
      'fbq',
    ],
    [
      'finds text whose first word also occurs earlier',
      'fbq("a"); fbq("track", "Lead");',
      'fbq("track", "Lead");',
      'fbq("track"',
    ],
    ['finds text up to a redaction', 'send("mail to", "a@b.example")', 'send("mail to", "[email]")', 'send'],
  ];
  it.each(found)('%s', (_, source, snippet, start) => {
    expect(locate(source, snippet)).toBe(source.indexOf(start));
  });

  const missed: readonly (readonly [string, string, string])[] = [
    ['doesn’t match another ID', "fbq('init', '1111111');", "fbq('init', '2222222');"],
    ['doesn’t match text that is too short', 'fbq(', 'fbq('],
    ['doesn’t match a file that consists of Liquid output', '{{ a }}{{ b }}', "fbq('init', '731205');"],
    ['doesn’t match an empty file', 'fbq()', ''],
  ];
  it.each(missed)('%s', (_, source, snippet) => {
    expect(locate(source, snippet)).toBeNull();
  });

  it('returns a matching position or null for any file and page code, without throwing an error', () => {
    const part = fc.constantFrom(
      'fbq(',
      '"init"',
      ' ',
      '\n',
      '{{ a }}',
      '{% if %}',
      '{{',
      ')',
      ';',
      '12345678901234',
      'x',
    );
    const text = fc.array(part, { maxLength: 30 }).map(parts => parts.join(''));
    fc.assert(
      fc.property(text, text, (source, snippet) => {
        const at = locate(source, snippet);
        if (at !== null) expect(source[at]).toBe(snippet.trim()[0]);
      }),
    );
  });

  it('searches a theme file in linear time', () => {
    for (const part of ['fbq( ', 'fbq({{', `fbq(${' '.repeat(5_000)}`, 'fbq({{ a }}']) {
      expect(locate(part.repeat(Math.floor(2_000_000 / part.length)), "fbq('init', '731205580412977');")).toBeNull();
    }
  });
});
