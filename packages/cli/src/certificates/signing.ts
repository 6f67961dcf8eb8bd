import { readFile } from 'node:fs/promises';
import type * as Signing from '@compliance/signing';
import { CliError, fileError } from '../cli-error.ts';
import { signerFromModule } from './signer-module.ts';

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
      'Signing requires the optional package @compliance/signing. Install it: npm install @compliance/signing',
    );
  }
}

/** Options for signing certificates. */
export interface SigningOptions {
  /** PKCS#12 file, whose password is in `COMPLIANCE_SIGNING_PASSWORD`. */
  readonly sign?: string;
  /** JavaScript module that exports a `Signer`. */
  readonly signer?: string;
  /** URL of the timestamp authority. */
  readonly timestamp?: string;
}

/**
 * Opens a signing key and returns a function that signs PDFs with it. Returns null if the options don't specify a key.
 *
 * @throws CliError if the key can't be used
 */
export async function openSigner({
  sign: file,
  signer: module,
  timestamp: url,
}: SigningOptions): Promise<Signing.SignCertificate | null> {
  if (file !== undefined && module !== undefined)
    throw new CliError('Specify either --sign or --signer, because a certificate can have only one signature.', 2);
  const source = file ?? module;
  if (source === undefined) {
    if (url === undefined) return null;
    throw new CliError('--timestamp requires --sign or --signer.', 2);
  }
  const signer = file === undefined ? await signerFromModule(source) : await signerFromFile(file);
  const { SigningSettingsError, signWith } = await loadSigning();
  try {
    return signWith(signer, url);
  } catch (error) {
    if (!(error instanceof SigningSettingsError)) throw error;
    throw error.setting === 'timestamp'
      ? new CliError(`--timestamp ${url}: ${error.message}.`, 2)
      : new CliError(`Can't use the key in ${source}: ${error.message}.`);
  }
}

async function signerFromFile(file: string): Promise<Signing.Signer> {
  const password = process.env.COMPLIANCE_SIGNING_PASSWORD;
  if (password === undefined) throw new CliError(`Set COMPLIANCE_SIGNING_PASSWORD to the password for ${file}.`, 2);
  const { signerFromPkcs12 } = await loadSigning();
  const bytes = await readFile(file).catch(error => {
    throw fileError(`Can't read ${file}`, error);
  });
  return await signerFromPkcs12(bytes, password).catch(error => {
    throw new CliError(`Can't use the key in ${file}: ${error.message}.`);
  });
}

/**
 * Opens a signing key with {@link openSigner} and converts signing failures to CLI errors.
 *
 * @throws CliError if the key can't be used. The returned function throws CliError if it can't sign the PDF, for
 * example because the timestamp authority fails.
 */
export async function openCommandSigner(options: SigningOptions): Promise<Signing.SignCertificate | null> {
  const sign = await openSigner(options);
  return (
    sign &&
    ((pdf, signing) =>
      sign(pdf, signing).catch(error => {
        throw new CliError(`Can't sign the certificate: ${error.message}.`);
      }))
  );
}
