import { readSignature } from '@compliance/signing';
import { type Certificate, type Certificates, StoreError } from '@compliance/store';

/** Maximum number of signatures to cache. */
const MAX_REMEMBERED = 500;

/**
 * Signature of an issued certificate's PDF. `at` is the time in the timestamp or, without a timestamp, the time of
 * issue, in milliseconds since the Unix epoch. `isIntact` is false if the signed file was changed.
 */
export interface CertificateSignature {
  readonly signer: string | null;
  readonly at: number;
  readonly hasTimestamp: boolean;
  readonly isIntact: boolean;
}

/**
 * Reads the signature of an issued certificate. Returns null if the certificate isn't signed, or `unreadable` if the
 * PDF is missing or damaged.
 */
export type SignatureReader = (
  certificate: Pick<Certificate, 'id' | 'sha256' | 'createdAt'>,
) => Promise<CertificateSignature | 'unreadable' | null>;

/**
 * Creates a function that reads and caches signatures. Caching is safe, because a certificate's PDF never changes.
 *
 * @example (await createSignatureReader(store.certificates)(certificate))?.signer // 'Cascade Imports LLC'
 */
export function createSignatureReader(certificates: Pick<Certificates, 'pdf'>): SignatureReader {
  const remembered = new Map<string, CertificateSignature | null>();
  return async ({ id, sha256, createdAt }) => {
    const known = remembered.get(sha256);
    if (known !== undefined) return known;
    try {
      const found = await readSignature(await certificates.pdf(id));
      const signature = found && {
        ...{ signer: found.signer, isIntact: found.intact && found.covers_file },
        ...{ at: found.timestamp ? Date.parse(found.timestamp) : createdAt, hasTimestamp: found.timestamp !== null },
      };
      const [oldest] = remembered.keys();
      if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
      remembered.set(sha256, signature);
      return signature;
    } catch (error) {
      if (error instanceof StoreError) return 'unreadable';
      throw error;
    }
  };
}
