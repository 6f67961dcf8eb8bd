import { embedSignature, prepareSignature, signedBytes } from '@compliance/core/entry';
import { Certificate } from 'pkijs';
import { createCms } from './cms.ts';
import { holderName } from './holder-name.ts';
import type { Signer } from './signer.ts';
import type { Timestamper } from './timestamp.ts';

/** Options for {@link signPdf}. */
export interface SignOptions {
  /**
   * Time of the signature in UTC, in RFC 3339 format. This time is only the signer's claim. A timestamp proves its own
   * time, which can be different.
   */
  readonly at: string;
  /** Requests a timestamp, which makes the signature level B-T. Without it, the level is B-B. */
  readonly timestamp?: Timestamper | undefined;
}

/** Space for a signature without its certificates, and for a timestamp with the authority's certificates, in bytes. */
const SIGNATURE_BYTES = 4 * 1024;
const TIMESTAMP_BYTES = 16 * 1024;

/**
 * Signs a certificate PDF from `@compliance/core` with a PAdES signature. The signed file starts with the bytes of the
 * original file, and still conforms to PDF/A-3u and PDF/UA-1.
 *
 * @param pdf a file from `render`, which isn't changed
 * @throws Error if the file can't be signed, the key can't be used, or the timestamp authority fails
 * @example const signed = await signPdf(pdf, await signerFromPkcs12(file, password), { at: record.issued_at });
 */
export async function signPdf(
  pdf: Uint8Array,
  signer: Signer,
  { at, timestamp }: SignOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const certificates = signer.certificates.reduce((sum, { length }) => sum + length, 0);
  const space = certificates + SIGNATURE_BYTES + (timestamp ? TIMESTAMP_BYTES : 0);
  const name = holderName(Certificate.fromBER(signer.certificates[0]).subject);
  const prepared = await prepareSignature(pdf, { at, name, space });
  return new Uint8Array(embedSignature(prepared, await createCms(signedBytes(prepared), signer, timestamp)));
}
