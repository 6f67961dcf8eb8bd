import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locate } from './locate.ts';

describe('the place of a served text in a Liquid file', () => {
  const found: readonly (readonly [string, string, string, string])[] = [
    ['is found as it stands', '<script>\n  fbq("init", "1");', 'fbq("init", "1");', 'fbq'],
    ['is found whatever the white space', 'a\n fbq( "init",\n\t"1234567" );', 'fbq("init", "1234567");', 'fbq'],
    ['is found where Liquid printed a value', "fbq('init', '{{ settings.id }}');", "fbq('init', '731205');", 'fbq'],
    ['is found where Liquid printed nothing', "fbq('init'{% if x %}, {}{% endif %});x()", "fbq('init', {});x()", 'fbq'],
    ['is found where it stands second', 'fbq("a"); fbq("track", "Lead");', 'fbq("track", "Lead");', 'fbq("track"'],
    ['is found up to what was taken out', 'send("mail to", "a@b.example")', 'send("mail to", "[e-mail]")', 'send'],
  ];
  it.each(found)('%s', (_, source, snippet, start) => {
    expect(locate(source, snippet)).toBe(source.indexOf(start));
  });

  const missed: readonly (readonly [string, string, string])[] = [
    ['another id is another text', "fbq('init', '1111111');", "fbq('init', '2222222');"],
    ['too little of it says nothing', 'fbq(', 'fbq('],
    ['a file that Liquid prints in full says nothing', '{{ a }}{{ b }}', "fbq('init', '731205');"],
    ['no text is nowhere', 'fbq()', ''],
  ];
  it.each(missed)('%s', (_, source, snippet) => {
    expect(locate(source, snippet)).toBeNull();
  });

  it('is where it says, and never throws', () => {
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

  it('takes time in proportion to the file', () => {
    for (const part of ['fbq( ', 'fbq({{', `fbq(${' '.repeat(5_000)}`, 'fbq({{ a }}']) {
      expect(locate(part.repeat(Math.floor(2_000_000 / part.length)), "fbq('init', '731205580412977');")).toBeNull();
    }
  });
});
