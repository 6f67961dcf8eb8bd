import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinks } from './links.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const ID = '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60';
const target = { id: ID, sha256: 'ab'.repeat(32) };
const key = (byte: number) => new Uint8Array(32).fill(byte);
const links = createLinks({ active: 'k2', keys: { k1: key(1), k2: key(2) } });
const verify = (path: string, now = NOW, to: typeof target | null = target) => links.verify(path, ID, to, now);

describe('a signed link', () => {
  const { path, expiresAt } = links.sign(target, NOW);

  it('is the one of the known answer', () => {
    expect(path).toMatchInlineSnapshot(
      `"/gcc/3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60/pdf?kid=k2&exp=1795266000&sig=636e146b642d867e63aa85799eaf6f3a1b40a7382ea61b6557e413ad79299228"`,
    );
    expect(expiresAt).toBe(NOW + 3_600_000);
  });

  it('holds until its second, and is expired from then on', () => {
    expect(verify(path)).toBe('good');
    expect(verify(path, expiresAt - 1)).toBe('good');
    expect(verify(path, expiresAt)).toBe('expired');
  });

  it('is refused when any one byte of it is another', () => {
    fc.assert(
      fc.property(fc.nat(path.length - 1), fc.integer({ min: 0x21, max: 0x7e }), (at, code) => {
        const changed = path.slice(0, at) + String.fromCharCode(code) + path.slice(at + 1);
        if (changed !== path) expect(verify(changed)).toBe('invalid');
      }),
      { numRuns: 3000 },
    );
  });

  it.each<[string, (path: string) => string]>([
    ['in upper case', path => path.toUpperCase()],
    ['with a signature in upper case', path => path.replace(/[0-9a-f]{64}$/, sig => sig.toUpperCase())],
    ['one digit short', path => path.slice(0, -1)],
    ['one digit long', path => `${path}0`],
    ['with a parameter twice', path => `${path}&exp=9999999999`],
    ['with another parameter', path => `${path}&inline=1`],
    ['with its parameters in another order', path => path.replace(/(kid=\w+)&(exp=\d+)/, '$2&$1')],
    ['written in percent signs', path => path.replace('3f0c', '%33f0c')],
    ['of another version of the time', path => path.replace(/exp=\d+/, 'exp=0x6a9d1f2e')],
    ['with a negative time', path => path.replace(/exp=\d+/, 'exp=-111111111')],
    ['with a fragment', path => `${path}#x`],
    ['with more between path and query', path => path.replace('/pdf?', '/pdf/x?')],
  ])('is refused %s', (_, change) => {
    expect(verify(change(path))).toBe('invalid');
  });

  it('dies with the file it was made for, and with its certificate', () => {
    expect(verify(path, NOW, { ...target, sha256: `cd${target.sha256.slice(2)}` })).toBe('invalid');
    expect(verify(path, NOW, null)).toBe('invalid');
    expect(links.verify(path, ID.replace('3', '4'), target, NOW)).toBe('invalid');
  });

  it('to no certificate is refused, even when it names what stands in for one', () => {
    const nobody = { id: 'none', sha256: '0'.repeat(64) };
    expect(links.verify(links.sign(nobody, NOW).path, nobody.id, null, NOW)).toBe('invalid');
  });

  it('cannot claim more than seven days', () => {
    const ending = (in_s: number) => links.sign(target, NOW + in_s * 1000 - 3_600_000).path;
    expect(verify(ending(7 * 86_400))).toBe('good');
    expect(verify(ending(7 * 86_400 + 1))).toBe('invalid');
  });
});

describe('the keys of links', () => {
  it('may be rotated: links of an old key hold while it is listed, and die when it is not', () => {
    const old = createLinks({ active: 'k1', keys: { k1: key(1) } }).sign(target, NOW).path;
    expect(verify(old)).toBe('good');
    expect(createLinks({ active: 'k2', keys: { k2: key(2) } }).verify(old, ID, target, NOW)).toBe('invalid');
  });

  it('are not found by their secret: a link of an id that is not listed is refused', () => {
    const renamed = createLinks({ active: 'old', keys: { old: key(2) } }).sign(target, NOW).path;
    expect(verify(renamed)).toBe('invalid');
  });

  it.each(['__proto__', 'constructor', 'k3'])('are not found by the id %s', kid => {
    const { path } = links.sign(target, NOW);
    expect(verify(path.replace('kid=k2', `kid=${kid}`))).toBe('invalid');
  });

  it('are refused when short, malformed or missing', () => {
    expect(() => createLinks({ active: 'k1', keys: { k1: new Uint8Array(31) } })).toThrow(/shorter than 32/);
    for (const kid of ['', 'K', 'Kk', 'kK', 'k\n', 'k'.repeat(33)]) {
      expect(() => createLinks({ active: kid, keys: { [kid]: key(1) } })).toThrow(/key id/);
    }
    expect(() => createLinks({ active: 'k2', keys: { k1: key(1) } })).toThrow(/active/);
  });
});
