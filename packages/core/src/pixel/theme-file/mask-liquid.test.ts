import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskLiquid, PLACEHOLDER } from './mask-liquid.ts';

const placeholder = (length: number) => PLACEHOLDER.repeat(length);

describe('Liquid masking', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['replaces an output with an identifier', "fbq('init', '{{ id }}')", `fbq('init', '${placeholder(8)}')`],
    ['replaces an output that has whitespace-control dashes', 'a={{- id -}};', `a=${placeholder(10)};`],
    ['replaces a tag with spaces', 'a{% if x %}b{% else %}c{% endif %}', 'a          b          c           '],
    ['treats an echo as an output', 'a={% echo x %};', `a=${placeholder(12)};`],
    ['removes the content of a comment', '{% comment %}<b>{% endcomment %}c', `${' '.repeat(32)}c`],
    [
      'removes the content of a comment whose tags have dashes',
      '{%- comment -%}x{%- endcomment -%}c',
      `${' '.repeat(34)}c`,
    ],
    ['extends an unterminated comment to the end of the file', 'a{% comment %}b', 'a              '],
    ['removes the content of a schema', '{% schema %}{"a":1}{% endschema %}c', `${' '.repeat(34)}c`],
    ['keeps the content of a raw block', '{% raw %}{{ a }}{% endraw %}', `${' '.repeat(9)}{{ a }}${' '.repeat(12)}`],
    [
      'turns a JavaScript block into a script',
      '{% javascript %}ga(1){% endjavascript %}',
      '<script>        ga(1)</script>          ',
    ],
    ['removes an inline comment', '{% # note %}a', '            a'],
    ['keeps line breaks', '{% liquid\n a\r\n%}b{{ x\n| y }}', `         \n  \r\n  b${placeholder(4)}\n      `],
    ['keeps an unterminated output', 'a{{ b', 'a{{ b'],
  ];
  it.each(cases)('%s', (_, source, expected) => {
    expect(maskLiquid(source)).toBe(expected);
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

  it('preserves any theme file’s length and line breaks when masking Liquid', () => {
    fc.assert(
      fc.property(liquid, source => {
        const result = maskLiquid(source);
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

  it('doesn’t change a theme file without Liquid code', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), source => {
        fc.pre(!/\{[{%]/.test(source));
        expect(maskLiquid(source)).toBe(source);
      }),
    );
  });

  it('masks a theme file in linear time', () => {
    for (const part of ['{% comment %}', '{% raw %}', '{{', '{%', '{% ', `{%${' '.repeat(99)}`, '{% endraw']) {
      const file = part.repeat(Math.floor(1_000_000 / part.length));
      expect(maskLiquid(file)).toHaveLength(file.length);
    }
  });
});
