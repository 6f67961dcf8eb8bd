import { webcrypto } from '#webcrypto';
import { DecodeError } from './errors.ts';
import { type CallOptions, type ClientOptions, Exchange } from './exchange.ts';
import type { RateLimitWindow } from './limits.ts';
import type { GccGenerateResponse } from './models.gen.ts';
import { Operations } from './operations.gen.ts';

/**
 * Client for the Portfolio Compliance API.
 *
 * @throws `TypeError` if the API key is missing, or if it isn't safe to send the key to the base URL
 * @example
 * const client = new Compliance({ baseURL: 'https://compliance.example' }); // uses the key in COMPLIANCE_API_KEY
 */
export class Compliance extends Operations {
  readonly #exchange: Exchange;

  constructor(options: ClientOptions = {}) {
    const exchange = new Exchange(options);
    super(exchange);
    this.#exchange = exchange;
  }

  /** Remaining rate limits from the most recent response that included them. Empty until a response includes rate limits. */
  get rateLimit(): readonly RateLimitWindow[] {
    return this.#exchange.rateLimit;
  }

  /**
   * Downloads a certificate PDF and verifies the file against the SHA-256 hash in the response that contains the link.
   *
   * @throws `ComplianceError` if the download fails, or `DecodeError` if the hash is missing or doesn't match the file
   * @example
   * await writeFile('gcc.pdf', await client.downloadCertificate(response));
   */
  async downloadCertificate(response: GccGenerateResponse, options?: CallOptions): Promise<Uint8Array> {
    const expected = response.pdf_sha256 || response.sha256;
    if (!expected) throw new DecodeError("The certificate's SHA-256 hash is missing, so the file can't be verified.");
    const bytes = await this.#exchange.download(response.gcc_pdf_url, options);
    const sha256 = new Uint8Array(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
    if (Array.from(sha256, byte => byte.toString(16).padStart(2, '0')).join('') !== expected.toLowerCase())
      throw new DecodeError("The file doesn't match the certificate's SHA-256 hash.");
    return bytes;
  }
}
