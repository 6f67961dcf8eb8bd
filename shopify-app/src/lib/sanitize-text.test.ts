import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sanitizeText } from './sanitize-text.ts';

it('removes NUL characters and replaces lone surrogates in all strings without changing other values', () => {
  expect(JSON.parse('{"a":["x\\u0000y",{"b":"\\ud83d","c":"\\ud83d\\ude00"}],"d":1}', sanitizeText)).toEqual({
    a: ['xy', { b: '\ufffd', c: '😀' }],
    d: 1,
  });
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const kept = JSON.stringify(JSON.parse(JSON.stringify(value), sanitizeText));
      expect(JSON.parse(kept, sanitizeText)).toEqual(JSON.parse(kept));
    }),
  );
});
