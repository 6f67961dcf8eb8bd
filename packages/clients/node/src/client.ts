import { webcrypto } from '#webcrypto';
import { DecodeError } from './errors.ts';
import { type CallOptions, type ClientOptions, Exchange } from './exchange.ts';
import { type JobFile, type WaitOptions, waitUntilFinished } from './job-files.ts';
import type { RateLimitWindow } from './limits.ts';
import type { GccGenerateResponse, Job } from './models.gen.ts';
import { Operations } from './operations.gen.ts';

/**
 * Client for the Portfolio Compliance API.
 *
 * @throws `TypeError` if the API key is missing or invalid, or if it isn't safe to send the key to the base URL
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

  /** Remaining rate limits from the most recent response that included them. Initially empty. */
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

  /**
   * Uploads a job's file, which starts the job. Streams aren't loaded into memory. If the connection is lost, get the
   * job. While its state is `awaiting_input`, you can upload the file again.
   *
   * @throws `ComplianceError` if the upload fails or the service rejects the file, or `TypeError` if the job
   * isn't waiting for a file
   * @example
   * const job = await client.jobs.create('tariff.hts.lookup', { format: 'csv' });
   * await client.uploadJobFile(job, await openAsBlob('codes.csv'));
   */
  async uploadJobFile(job: Job, file: JobFile, options: { signal?: AbortSignal } = {}): Promise<Job> {
    if (job.upload_url === null)
      throw new TypeError("The job doesn't accept a file: it already has one, has an input_url, or was canceled.");
    // A request with a stream body requires `duplex`, which the `fetch` type definitions don't include.
    const init = { method: 'PUT', body: file, duplex: 'half' } as RequestInit;
    return (await (await this.#exchange.transfer(job.upload_url, init, options.signal)).json()) as Job;
  }

  /**
   * Waits until a job finishes, fails, or is canceled. After a restart, your program can wait for the same job again.
   *
   * @throws `TimeoutError` after `deadlineMs`, or `ComplianceError` if the job can't be read
   * @example
   * const job = await client.waitForJob(id, { onProgress: ({ processed_rows, rows }) => console.log(processed_rows, rows) });
   */
  async waitForJob(id: string, options: WaitOptions<Job> = {}): Promise<Job> {
    return await waitUntilFinished(call => this.jobs.get({ id }, call), options);
  }

  /**
   * Downloads a job's result as a stream of bytes. While the job is running, the result contains only the rows
   * processed so far.
   *
   * @throws `ComplianceError` if the download fails, or `TypeError` if the job hasn't started
   * @example
   * await pipeline(Readable.fromWeb(await client.downloadJobResult(job)), createWriteStream('result.csv'));
   */
  async downloadJobResult(job: Job, options: { signal?: AbortSignal } = {}): Promise<ReadableStream<Uint8Array>> {
    if (job.result_url === null) throw new TypeError("The job doesn't have a result, because it hasn't started.");
    return (await this.#exchange.transfer(job.result_url, { method: 'GET' }, options.signal)).body!;
  }

  /**
   * Downloads a ZIP file with a job's certificate PDFs and an index, as a stream of bytes. While the job is running,
   * the ZIP file contains only the certificates issued so far.
   *
   * @throws `ComplianceError` if the download fails, or `TypeError` if the job doesn't issue certificates or hasn't
   * started
   * @example
   * await pipeline(Readable.fromWeb(await client.downloadJobCertificates(job)), createWriteStream('certificates.zip'));
   */
  async downloadJobCertificates(job: Job, options: { signal?: AbortSignal } = {}): Promise<ReadableStream<Uint8Array>> {
    if (!job.certificates_url) throw new TypeError("The job doesn't issue certificates, or it hasn't started.");
    return (await this.#exchange.transfer(job.certificates_url, { method: 'GET' }, options.signal)).body!;
  }
}
