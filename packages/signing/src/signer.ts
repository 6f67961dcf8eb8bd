/** Signature algorithms. Both use SHA-256. ECDSA signatures are DER-encoded, as key management services return them. */
export type SignatureAlgorithm = 'rsa-sha256' | 'ecdsa-sha256';

/**
 * A private key with its X.509 certificates. Implement this interface for a key that stays in a hardware security
 * module (PKCS#11) or in a key management service. For a key in a file, use `signerFromPkcs12`.
 *
 * @example
 * const signer: Signer = { certificates: [der], algorithm: 'rsa-sha256', sign: digest => kms.sign(keyId, digest) };
 */
export interface Signer {
  /** DER-encoded certificates: the signer's certificate, followed by its intermediate certificates. */
  readonly certificates: readonly [Uint8Array, ...Uint8Array[]];
  readonly algorithm: SignatureAlgorithm;
  /**
   * Signs the SHA-256 digest of a message.
   *
   * @param digest 32 bytes
   * @param message the bytes that the digest was computed from, for key services that compute the digest themselves
   */
  sign(digest: Uint8Array, message: Uint8Array): Promise<Uint8Array>;
}
