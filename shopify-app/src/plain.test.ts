import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plain } from './plain.ts';

it('takes from every text what cannot be kept or shown the same everywhere, and changes nothing else', () => {
  expect(JSON.parse('{"a":["x\\u0000y",{"b":"\\ud83d","c":"\\ud83d\\ude00"}],"d":1}', plain)).toEqual({
    a: ['xy', { b: '\ufffd', c: '😀' }],
    d: 1,
  });
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const kept = JSON.stringify(JSON.parse(JSON.stringify(value), plain));
      expect(JSON.parse(kept, plain)).toEqual(JSON.parse(kept));
    }),
  );
});
