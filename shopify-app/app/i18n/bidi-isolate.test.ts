import { expect, it } from 'vitest';
import { bidiIsolate } from './bidi-isolate.ts';

it('isolates text with bidirectional control characters and leaves other text unchanged', () => {
  expect(bidiIsolate('mug \u202efdp.exe')).toBe('\u2068mug \u202efdp.exe\u2069');
  // Untrusted text can't end its own isolate.
  expect(bidiIsolate('\u2069\u202efdp.exe')).toBe('\u2068\u202efdp.exe\u2069');
  for (const text of ['', 'Mug', 'ספל', '漢字 <b>']) expect(bidiIsolate(text)).toBe(text);
});
