import { readFile } from 'node:fs/promises';
import type * as Signing from '@compliance/signing';
import { CliError, fileError } from '../cli-error.ts';

/** Signs a certificate PDF. `at` is the time of issue, in RFC 3339 format and UTC. */
export type SignPdf = (pdf: Uint8Array, at: string) => Promise<Uint8Array>;

/**
 * Loads the optional package that signs PDFs.
 *
 * @throws CliError if the package isn't installed
 */
export async function loadSigning(): Promise<typeof Signing> {
  try {
    return await import('@compliance/signing');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CliError(
      'Signatures need the optional package @compliance/signing. Install it: npm install @compliance/signing',
    );
  }
}

/**
 * Opens a PKCS#12 file with the password in `COMPLIANCE_SIGNING_PASSWORD`, and returns a function that signs PDFs with
 * the key in the file.
 *
 * @param timestampUrl URL of a timestamp authority, or undefined for signatures without a timestamp
 * @throws CliError if the key can't be used. The returned function throws CliError if it can't sign the PDF, for
 * example because the timestamp authority fails.
 */
export async function openSigner(file: string, timestampUrl: string | undefined): Promise<SignPdf> {
  const password = process.env.COMPLIANCE_SIGNING_PASSWORD;
  if (password === undefined) throw new CliError(`Set COMPLIANCE_SIGNING_PASSWORD to the password of ${file}.`, 2);
  if (timestampUrl !== undefined && !/^https?:\/\/./.test(timestampUrl))
    throw new CliError(`--timestamp ${timestampUrl}: enter a URL such as https://tsa.example/tsr.`, 2);
  const { signerFromPkcs12, signPdf, timestampAuthority } = await loadSigning();
  const bytes = await readFile(file).catch(error => {
    throw fileError(`Can't read ${file}`, error);
  });
  const signer = await signerFromPkcs12(bytes, password).catch(error => {
    throw new CliError(`Can't use the key in ${file}: ${error.message}.`);
  });
  const timestamp = timestampUrl === undefined ? undefined : timestampAuthority(timestampUrl);
  return (pdf, at) =>
    signPdf(pdf, signer, { at, timestamp }).catch(error => {
      throw new CliError(`Can't sign the certificate: ${error.message}.`);
    });
}
