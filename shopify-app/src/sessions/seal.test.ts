import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSeal } from './seal.ts';

const keys = [randomBytes(32), randomBytes(32), randomBytes(32)];
const text = fc.string({ unit: 'binary', maxLength: 2_000 });
const name = fc.string({ unit: 'binary', maxLength: 100 });

describe('token encryption', () => {
  it('decrypts any text that was encrypted under the same name', () => {
    const seal = createSeal(keys);
    fc.assert(fc.property(text, name, (said, under) => seal.open(seal.seal(said, under), under) === said));
  });

  it('encrypts the same text differently each time without revealing the text', () => {
    const seal = createSeal(keys);
    fc.assert(
      fc.property(fc.string({ minLength: 4, maxLength: 200 }), said => {
        const [one, two] = [seal.seal(said, 'n'), seal.seal(said, 'n')];
        expect(one).not.toBe(two);
        expect(Buffer.from(one, 'base64').toString('latin1')).not.toContain(said);
      }),
    );
  });

  it('rejects text that was encrypted under another name', () => {
    const seal = createSeal(keys);
    fc.assert(
      fc.property(text, name, name, (said, under, other) => {
        fc.pre(under !== other);
        expect(seal.open(seal.seal(said, under), other)).toBeNull();
      }),
    );
  });

  it('rejects encrypted text with one changed bit', () => {
    const seal = createSeal(keys);
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 0, max: 7 }), (said, place, bit) => {
        const bytes = Buffer.from(seal.seal(said, 'n'), 'base64');
        bytes[place % bytes.length]! ^= 1 << bit;
        expect(seal.open(bytes.toString('base64'), 'n')).toBeNull();
      }),
    );
  });

  it('returns null for truncated ciphertext and for text that was never encrypted', () => {
    const seal = createSeal(keys);
    fc.assert(
      fc.property(text, fc.nat(), (said, length) => {
        const whole = Buffer.from(seal.seal(said, 'n'), 'base64');
        expect(seal.open(whole.subarray(0, length % whole.length).toString('base64'), 'n')).toBeNull();
        expect(seal.open(said, 'n')).toBeNull();
      }),
    );
  });

  it('decrypts text that was encrypted with an older key until that key is removed', () => {
    const [newest, older, oldest] = keys as [Buffer, Buffer, Buffer];
    const sealed = createSeal([oldest]).seal('shpat_1', 'n');
    expect(createSeal([newest, older, oldest]).open(sealed, 'n')).toBe('shpat_1');
    expect(createSeal([newest, older]).open(sealed, 'n')).toBeNull();
    const resealed = createSeal([newest, older, oldest]).seal('shpat_1', 'n');
    expect(createSeal([newest]).open(resealed, 'n')).toBe('shpat_1');
  });

  it('throws an error if there is no encryption key', () => {
    expect(() => createSeal([])).toThrow(RangeError);
  });
});
