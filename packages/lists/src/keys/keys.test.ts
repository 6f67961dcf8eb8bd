import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSigningKey, readPublicKey, readSigningKey } from './keys.ts';

describe('signing keys', () => {
  it('derives the same key ID from a private key and from its public key', () => {
    const { privateKey, publicKey } = createSigningKey();
    expect(readSigningKey(privateKey).key.equals(readPublicKey(publicKey))).toBe(true);
    expect(readPublicKey(createSigningKey().publicKey).keyID).not.toBe(readPublicKey(publicKey).keyID);
  });

  it('encrypts a private key with a passphrase', () => {
    const { privateKey } = createSigningKey('correct horse');
    expect(privateKey).toContain('ENCRYPTED');
    expect(readSigningKey(privateKey, 'correct horse').sign(Buffer.from('text')).sig).toMatch(/^[0-9a-f]{128}$/);
    expect(() => readSigningKey(privateKey)).toThrow('its passphrase is missing or wrong');
    expect(() => readSigningKey(privateKey, 'wrong')).toThrow('its passphrase is missing or wrong');
  });

  it('rejects keys that aren’t Ed25519 keys in PEM format', () => {
    const { privateKey, publicKey } = createSigningKey();
    const rsa = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    expect(() => readSigningKey('text')).toThrow("isn't a private key");
    expect(() => readSigningKey(publicKey)).toThrow("isn't a private key");
    expect(() => readSigningKey(rsa.privateKey)).toThrow('must be an Ed25519 key');
    expect(() => readPublicKey(privateKey)).toThrow("isn't a public key");
    expect(() => readPublicKey('-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----')).toThrow(
      "isn't a public key",
    );
    expect(() => readPublicKey(rsa.publicKey)).toThrow('must be an Ed25519 key');
  });
});
