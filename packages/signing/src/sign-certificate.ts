import { type SignOptions, signerExpiry, signPdf } from './sign-pdf.ts';
import type { Signer } from './signer.ts';
import { timestampAuthority } from './timestamp.ts';

/** Signs a certificate PDF with a service's key. Throws the same errors as `signPdf`. */
export type SignCertificate = (
  pdf: Uint8Array,
  options: Omit<SignOptions, 'timestamp'>,
) => Promise<Uint8Array<ArrayBuffer>>;

/**
 * Error thrown for signing settings that can't be used. The message is for the operator and never contains a secret.
 */
export class SigningSettingsError extends Error {
  override name = 'SigningSettingsError';
  /** The setting to correct. */
  readonly setting: 'key' | 'timestamp';
  constructor(setting: 'key' | 'timestamp', message: string) {
    super(message);
    this.setting = setting;
  }
}

/**
 * Checks a service's signing settings when the service starts, and returns a function that signs certificates.
 *
 * @param timestampUrl URL of the timestamp authority. Without it, signatures have no timestamp.
 * @throws SigningSettingsError if the key's certificate has expired, or if the URL isn't an HTTP or HTTPS URL
 * @example
 * const sign = signWith(await signerFromPkcs12(file, password), 'https://tsa.example/tsr');
 */
export function signWith(signer: Signer, timestampUrl?: string): SignCertificate {
  if (timestampUrl !== undefined && !/^https?:\/\/./.test(timestampUrl))
    throw new SigningSettingsError('timestamp', 'enter a URL such as https://tsa.example/tsr');
  const expiry = signerExpiry(signer);
  if (expiry < new Date())
    throw new SigningSettingsError('key', `its certificate expired on ${expiry.toISOString().slice(0, 10)}`);
  const timestamp = timestampUrl === undefined ? undefined : timestampAuthority(timestampUrl);
  return (pdf, options) => signPdf(pdf, signer, { ...options, timestamp });
}
