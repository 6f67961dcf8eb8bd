import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSeal } from './seal.ts';

const keys = [randomBytes(32), randomBytes(32), randomBytes(32)];
const text = fc.string({ unit: 'binary', maxLength: 2_000 });
const name = fc.string({ unit: 'binary', maxLength: 100 });

describe('a seal', () => {
  it('gives back what was sealed under the same name, any text', () => {
    const seal = createSeal(keys);
    fc.assert(fc.property(text, name, (said, under) => seal.open(seal.seal(said, under), under) === said));
  });

  it('shows nothing of the text, and seals the same text otherwise each time', () => {
    const seal = createSeal(keys);
    fc.assert(
      fc.property(fc.string({ minLength: 4, maxLength: 200 }), said => {
        const [one, two] = [seal.seal(said, 'n'), seal.seal(said, 'n')];
        expect(one).not.toBe(two);
        expect(Buffer.from(one, 'base64').toString('latin1')).not.toContain(said);
      }),
    );
  });

  it('opens nothing under another name', () => {
    const seal = createSeal(keys);
    fc.assert(
      fc.property(text, name, name, (said, under, other) => {
        fc.pre(under !== other);
        expect(seal.open(seal.seal(said, under), other)).toBeNull();
      }),
    );
  });

  it('opens nothing in which one bit is another', () => {
    const seal = createSeal(keys);
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 0, max: 7 }), (said, place, bit) => {
        const bytes = Buffer.from(seal.seal(said, 'n'), 'base64');
        bytes[place % bytes.length]! ^= 1 << bit;
        expect(seal.open(bytes.toString('base64'), 'n')).toBeNull();
      }),
    );
  });

  it('opens nothing that was cut, and no text of a stranger, and never throws', () => {
    const seal = createSeal(keys);
    fc.assert(
      fc.property(text, fc.nat(), (said, length) => {
        const whole = Buffer.from(seal.seal(said, 'n'), 'base64');
        expect(seal.open(whole.subarray(0, length % whole.length).toString('base64'), 'n')).toBeNull();
        expect(seal.open(said, 'n')).toBeNull();
      }),
    );
  });

  it('opens what an older key sealed, until that key is taken away', () => {
    const [newest, older, oldest] = keys as [Buffer, Buffer, Buffer];
    const sealed = createSeal([oldest]).seal('shpat_1', 'n');
    expect(createSeal([newest, older, oldest]).open(sealed, 'n')).toBe('shpat_1');
    expect(createSeal([newest, older]).open(sealed, 'n')).toBeNull();
    const anew = createSeal([newest, older, oldest]).seal('shpat_1', 'n');
    expect(createSeal([newest]).open(anew, 'n')).toBe('shpat_1');
  });

  it('needs a key', () => {
    expect(() => createSeal([])).toThrow(RangeError);
  });
});
