import { embedSignature, prepareSignature, signedBytes } from '@compliance/core/entry';
import { Certificate } from 'pkijs';
import { createCms } from './cms.ts';
import { holderName } from './holder-name.ts';
import type { Signer } from './signer.ts';
import type { Timestamper } from './timestamp.ts';

/** Options for {@link signPdf}. */
export interface SignOptions {
  /**
   * Signing time in UTC, in RFC 3339 format. The signer claims this time without proof. The time in a timestamp is
   * attested by the timestamp authority and can be different.
   */
  readonly at: string;
  /** Requests a timestamp, which raises the signature level from B-B to B-T. */
  readonly timestamp?: Timestamper | undefined;
  /**
   * Adds a signature placeholder to the PDF; `prepareSignature` by default. A service can do this work in another
   * process, which never has access to the key.
   */
  readonly prepare?: typeof prepareSignature | undefined;
}

/**
 * Number of bytes to reserve for a signature, excluding its certificates, and for a timestamp, including the
 * authority's certificates.
 */
const SIGNATURE_BYTES = 4 * 1024;
const TIMESTAMP_BYTES = 16 * 1024;

/**
 * Returns the time when the signer's certificate expires.
 *
 * @example if (signerExpiry(signer) < new Date()) throw new Error('The certificate has expired.');
 */
export function signerExpiry({ certificates }: Signer): Date {
  return Certificate.fromBER(certificates[0].slice()).notAfter.value;
}

/**
 * Signs a certificate PDF from `@compliance/core` with a PAdES signature. The signed file starts with the bytes of the
 * original file and still conforms to PDF/A-3u and PDF/UA-1.
 *
 * @param pdf a file from `render`. The file isn't modified.
 * @throws TimestampError if the timestamp authority fails
 * @throws Error if the file can't be signed, the key can't be used, or its certificate expires before `at`
 * @example const signed = await signPdf(pdf, await signerFromPkcs12(file, password), { at: record.issued_at });
 */
export async function signPdf(
  pdf: Uint8Array,
  signer: Signer,
  { at, timestamp, prepare = prepareSignature }: SignOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const expiry = signerExpiry(signer);
  if (expiry < new Date(at)) throw new Error(`the signing certificate expired on ${expiry.toISOString().slice(0, 10)}`);
  const certificates = signer.certificates.reduce((sum, { length }) => sum + length, 0);
  const space = certificates + SIGNATURE_BYTES + (timestamp ? TIMESTAMP_BYTES : 0);
  const name = holderName(Certificate.fromBER(signer.certificates[0].slice()).subject);
  const prepared = await prepare(pdf, { at, name, space });
  return new Uint8Array(embedSignature(prepared, await createCms(signedBytes(prepared), signer, timestamp)));
}
