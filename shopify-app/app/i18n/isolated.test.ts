import { expect, it } from 'vitest';
import { isolated } from './isolated.ts';

it('shuts in what turns the direction of writing, and leaves any other text as it is', () => {
  expect(isolated('mug \u202efdp.exe')).toBe('\u2068mug \u202efdp.exe\u2069');
  // It cannot let itself out.
  expect(isolated('\u2069\u202efdp.exe')).toBe('\u2068\u202efdp.exe\u2069');
  for (const text of ['', 'Mug', 'ספל', '漢字 <b>']) expect(isolated(text)).toBe(text);
});
