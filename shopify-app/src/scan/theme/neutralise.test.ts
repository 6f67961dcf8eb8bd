import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FILLER, neutralise } from './neutralise.ts';

const filler = (length: number) => FILLER.repeat(length);

describe('Liquid taken out of a theme file', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['an output becomes a name', "fbq('init', '{{ id }}')", `fbq('init', '${filler(8)}')`],
    ['an output with dashes, too', 'a={{- id -}};', `a=${filler(10)};`],
    ['a tag becomes blank', 'a{% if x %}b{% else %}c{% endif %}', 'a          b          c           '],
    ['an echo is an output', 'a={% echo x %};', `a=${filler(12)};`],
    ['what a comment holds is gone', '{% comment %}<b>{% endcomment %}c', `${' '.repeat(32)}c`],
    ['also with dashes', '{%- comment -%}x{%- endcomment -%}c', `${' '.repeat(34)}c`],
    ['a comment without an end goes on', 'a{% comment %}b', 'a              '],
    ['what a schema holds is gone', '{% schema %}{"a":1}{% endschema %}c', `${' '.repeat(34)}c`],
    ['what raw holds stays', '{% raw %}{{ a }}{% endraw %}', `${' '.repeat(9)}{{ a }}${' '.repeat(12)}`],
    [
      'a block of JavaScript is a script',
      '{% javascript %}ga(1){% endjavascript %}',
      '<script>        ga(1)</script>          ',
    ],
    ['a note in a tag is gone', '{% # note %}a', '            a'],
    ['line ends stay', '{% liquid\n a\r\n%}b{{ x\n| y }}', `         \n  \r\n  b${filler(4)}\n      `],
    ['what is never closed is no Liquid', 'a{{ b', 'a{{ b'],
  ];
  it.each(cases)('%s', (_, source, expected) => {
    expect(neutralise(source)).toBe(expected);
  });

  const liquid = fc
    .array(
      fc.oneof(
        fc.constantFrom('{%', '%}', '{{', '}}', '-', '\n', '\r\n', ' ', '"', "'", '<script>', '</script>', '\\', 'ʟ'),
        fc.constantFrom('comment', 'endcomment', 'raw', 'endraw', 'schema', 'endschema', 'javascript', 'endjavascript'),
        fc.string({ unit: 'binary', maxLength: 5 }),
      ),
      { maxLength: 60 },
    )
    .map(parts => parts.join(''));

  it('never moves a character, whatever the file holds', () => {
    fc.assert(
      fc.property(liquid, source => {
        const result = neutralise(source);
        expect(result).toHaveLength(source.length);
        for (let i = 0; i < source.length; i++) {
          const end = source[i] === '\n' || source[i] === '\r';
          expect(result[i] === '\n' || result[i] === '\r').toBe(end);
          if (end) expect(result[i]).toBe(source[i]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves a file without Liquid as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), source => {
        fc.pre(!/\{[{%]/.test(source));
        expect(neutralise(source)).toBe(source);
      }),
    );
  });

  it('takes time in proportion to the file', () => {
    for (const part of ['{% comment %}', '{% raw %}', '{{', '{%', '{% ', `{%${' '.repeat(99)}`, '{% endraw']) {
      const file = part.repeat(Math.floor(1_000_000 / part.length));
      expect(neutralise(file)).toHaveLength(file.length);
    }
  });
});
