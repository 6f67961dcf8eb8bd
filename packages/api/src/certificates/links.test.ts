import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinks } from './links.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const ID = '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60';
const target = { id: ID, sha256: 'ab'.repeat(32) };
const key = (byte: number) => new Uint8Array(32).fill(byte);
const links = createLinks({ active: 'k2', keys: { k1: key(1), k2: key(2) } });
const verify = (path: string, now = NOW, to: typeof target | null = target) => links.verify(path, ID, to, now);

describe('signed links', () => {
  const { path, expiresAt } = links.sign(target, NOW);

  it('generates the link in the test vector', () => {
    expect(path).toMatchInlineSnapshot(
      `"/gcc/3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60/pdf?kid=k2&exp=1795266000&sig=636e146b642d867e63aa85799eaf6f3a1b40a7382ea61b6557e413ad79299228"`,
    );
    expect(expiresAt).toBe(NOW + 3_600_000);
  });

  it('accepts a link until its expiration time and then reports it as expired', () => {
    expect(verify(path)).toBe('good');
    expect(verify(path, expiresAt - 1)).toBe('good');
    expect(verify(path, expiresAt)).toBe('expired');
  });

  it('rejects a link if any byte is changed', () => {
    fc.assert(
      fc.property(fc.nat(path.length - 1), fc.integer({ min: 0x21, max: 0x7e }), (at, code) => {
        const changed = path.slice(0, at) + String.fromCharCode(code) + path.slice(at + 1);
        if (changed !== path) expect(verify(changed)).toBe('invalid');
      }),
      { numRuns: 3000 },
    );
  });

  it.each<[string, (path: string) => string]>([
    ['in uppercase', path => path.toUpperCase()],
    ['with an uppercase signature', path => path.replace(/[0-9a-f]{64}$/, sig => sig.toUpperCase())],
    ['with one digit missing', path => path.slice(0, -1)],
    ['with an extra digit', path => `${path}0`],
    ['with a repeated parameter', path => `${path}&exp=9999999999`],
    ['with an additional parameter', path => `${path}&inline=1`],
    ['with its parameters in a different order', path => path.replace(/(kid=\w+)&(exp=\d+)/, '$2&$1')],
    ['with percent-encoding', path => path.replace('3f0c', '%33f0c')],
    ['with a hexadecimal expiration', path => path.replace(/exp=\d+/, 'exp=0x6a9d1f2e')],
    ['with a negative expiration', path => path.replace(/exp=\d+/, 'exp=-111111111')],
    ['with a fragment', path => `${path}#x`],
    ['with extra text between path and query', path => path.replace('/pdf?', '/pdf/x?')],
  ])('rejects a link %s', (_, change) => {
    expect(verify(change(path))).toBe('invalid');
  });

  it('rejects a link if its PDF changes or its certificate no longer exists', () => {
    expect(verify(path, NOW, { ...target, sha256: `cd${target.sha256.slice(2)}` })).toBe('invalid');
    expect(verify(path, NOW, null)).toBe('invalid');
    expect(links.verify(path, ID.replace('3', '4'), target, NOW)).toBe('invalid');
  });

  it('rejects a link to an unknown certificate, even if the link is signed for the internal placeholder', () => {
    const placeholder = { id: 'none', sha256: '0'.repeat(64) };
    expect(links.verify(links.sign(placeholder, NOW).path, placeholder.id, null, NOW)).toBe('invalid');
  });

  it('rejects a link that expires more than seven days from now', () => {
    const expiringIn = (seconds: number) => links.sign(target, NOW + seconds * 1000 - 3_600_000).path;
    expect(verify(expiringIn(7 * 86_400))).toBe('good');
    expect(verify(expiringIn(7 * 86_400 + 1))).toBe('invalid');
  });
});

describe('link signing keys', () => {
  it('accepts a link signed before a key rotation until the old key is removed', () => {
    const old = createLinks({ active: 'k1', keys: { k1: key(1) } }).sign(target, NOW).path;
    expect(verify(old)).toBe('good');
    expect(createLinks({ active: 'k2', keys: { k2: key(2) } }).verify(old, ID, target, NOW)).toBe('invalid');
  });

  it('rejects a link with an unknown key ID, even if the secret matches', () => {
    const renamed = createLinks({ active: 'old', keys: { old: key(2) } }).sign(target, NOW).path;
    expect(verify(renamed)).toBe('invalid');
  });

  it.each(['__proto__', 'constructor', 'k3'])('rejects a link with the unknown key ID %s', kid => {
    const { path } = links.sign(target, NOW);
    expect(verify(path.replace('kid=k2', `kid=${kid}`))).toBe('invalid');
  });

  it('rejects a short key, a malformed key ID, and an active key that isn’t configured', () => {
    expect(() => createLinks({ active: 'k1', keys: { k1: new Uint8Array(31) } })).toThrow(/at least 32 bytes/);
    for (const kid of ['', 'K', 'Kk', 'kK', 'k\n', 'k'.repeat(33)]) {
      expect(() => createLinks({ active: kid, keys: { [kid]: key(1) } })).toThrow(/key ID/);
    }
    expect(() => createLinks({ active: 'k2', keys: { k1: key(1) } })).toThrow(/active/);
  });
});
