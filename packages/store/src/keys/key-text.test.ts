import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KEY_SCOPES } from '../key-scope.ts';
import { isWellFormedKey, newKeyText, storedKeyParts } from './key-text.ts';

/** Key with a checksum and hash that were computed by a separate Python implementation. */
const EXAMPLE = `cmpl_live_all_000000${'x'.repeat(26)}1IHYkc`;
const EXAMPLE_SHA256 = '0643fb025aae475ce5150f55f6a2ee188faafac6365e8208bdaaeee5596cc1c6';

const key = fc.constantFrom(...KEY_SCOPES).map(newKeyText);

describe('API key text', () => {
  it('generates unique, well-formed keys', () => {
    const keys = Array.from({ length: 5000 }, (_, i) => newKeyText(KEY_SCOPES[i % 4] ?? 'all'));
    expect(keys.every(isWellFormedKey)).toBe(true);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('ends each key with the base62 CRC-32 of the preceding characters, most significant digit first', () => {
    expect(isWellFormedKey(EXAMPLE)).toBe(true);
  });

  it('uses all 62 characters with about the same frequency', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 5000; i++) {
      for (const character of newKeyText('all').slice('cmpl_live_all_'.length, -6)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    expect(counts.size).toBe(62);
    // In 160,000 characters, the expected count of each of the 62 characters is 2,581, with a standard deviation of 50.
    // A naive `byte % 62` would produce 8 of the characters 3,125 times each.
    for (const count of counts.values()) expect(Math.abs(count - 160_000 / 62)).toBeLessThan(350);
  });

  it('rejects a key when any single character is replaced', () => {
    fc.assert(
      fc.property(key, fc.nat(), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), (text, at, typo) => {
        const i = at % text.length;
        fc.pre(typo !== text[i]);
        expect(isWellFormedKey(text.slice(0, i) + typo + text.slice(i + 1))).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });

  it('rejects a key when any single letter or digit is replaced with another letter or digit', () => {
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    for (const scope of KEY_SCOPES) {
      const text = newKeyText(scope);
      for (let i = 0; i < text.length; i++) {
        for (const typo of alphabet) {
          if (typo !== text[i]) expect(isWellFormedKey(text.slice(0, i) + typo + text.slice(i + 1))).toBe(false);
        }
      }
    }
  });

  it('rejects a key when a character is deleted or repeated, or two adjacent characters are swapped', () => {
    fc.assert(
      fc.property(key, fc.nat(), (text, at) => {
        const i = at % (text.length - 1);
        expect(isWellFormedKey(text.slice(0, i) + text.slice(i + 1))).toBe(false);
        expect(isWellFormedKey(text.slice(0, i) + text[i] + text.slice(i))).toBe(false);
        const swapped = `${text.slice(0, i)}${text[i + 1]}${text[i]}${text.slice(i + 2)}`;
        fc.pre(swapped !== text);
        expect(isWellFormedKey(swapped)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('rejects arbitrary strings without throwing an error', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.stringMatching(/^cmpl_live_(pixel|render|entry|tariff|all|root)_[0-9A-Za-z]{30,45}$/),
    );
    fc.assert(
      fc.property(hostile, text => {
        expect(isWellFormedKey(text)).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });

  it('stores only a key’s prefix, last four characters, and hash', () => {
    expect(storedKeyParts(EXAMPLE)).toEqual({
      sha256: EXAMPLE_SHA256,
      prefix: 'cmpl_live_all_000000',
      last4: EXAMPLE.slice(-4),
    });
  });
});
