import { type FileFetcher, ScanFailed, type ScanFailedReason } from '@compliance/crawler';
import { type S3Input, StoreError } from '@compliance/store';
import { ApiError } from '../errors/api-error.ts';
import { MAX_INPUT_BYTES } from './bulk-operations.ts';
import { fileTooLarge } from './input-errors.ts';

/** Sources that the service fetches job input from. */
export interface InputSources {
  /**
   * Checks a URL without connecting to its server.
   *
   * @throws ApiError `invalid_request`
   */
  check(url: string): void;
  /**
   * Yields a file's bytes.
   *
   * @throws ApiError `invalid_request` or `body_too_large` if the file can't be used, `unavailable` if a
   * retry might succeed
   */
  fetch(url: string, signal: AbortSignal): AsyncGenerator<Uint8Array>;
}

const invalidUrl = (message: string) =>
  new ApiError('invalid_request', { detail: { issues: [{ path: 'input_url', code: 'INVALID_VALUE', message }] } });

const MESSAGES: Partial<Record<ScanFailedReason, string>> = {
  invalid_url: 'Enter an S3 URL, or an HTTPS URL on port 443 without a username or password.',
  refused_address: "The URL or one of its redirects doesn't point to a public server.",
  unreachable: "The server can't be reached. Check the hostname.",
  tls: "The server doesn't have a valid TLS certificate for this hostname.",
  too_many_redirects: 'The URL redirects too many times.',
};

/** Failure reasons that a retry might resolve. */
const TEMPORARY = new Set<ScanFailedReason>(['timed_out', 'target_busy', 'broken_response', 'no_egress', 'over_limit']);

/**
 * Creates the sources for job input: HTTPS URLs on public servers, such as presigned S3 URLs, and objects in the
 * operator's bucket.
 *
 * @param s3 null if the operator hasn't configured a bucket for input
 * @example createInputSources({ files: createFileFetcher(publicTransport, { contact, targetRate }), s3: null })
 */
export function createInputSources({
  files,
  s3,
}: {
  readonly files: FileFetcher;
  readonly s3: S3Input | null;
}): InputSources {
  async function* fetchObject(url: string, signal: AbortSignal, { open }: S3Input) {
    const content = await open(url, signal);
    if (!content) throw invalidUrl("The object doesn't exist, or the service can't read it.");
    let size = 0;
    for await (const chunk of content) {
      size += chunk.length;
      if (size > MAX_INPUT_BYTES) throw fileTooLarge();
      yield chunk;
    }
  }
  const isS3 = (url: string) => /^s3:\/\//i.test(url);
  return {
    check(url) {
      if (!isS3(url)) {
        try {
          return files.check(url);
        } catch (error) {
          throw toApiError(error);
        }
      }
      if (!s3) throw invalidUrl("This service doesn't support S3 URLs. Use a presigned HTTPS URL, or upload the file.");
      if (!s3.has(url)) throw invalidUrl(`Enter the URL of an object in ${s3.location}, or use a presigned HTTPS URL.`);
    },
    async *fetch(url, signal) {
      this.check(url);
      try {
        yield* isS3(url) ? fetchObject(url, signal, s3!) : files.fetch(url, { maxBytes: MAX_INPUT_BYTES, signal });
      } catch (error) {
        throw toApiError(error);
      }
    },
  };
}

function toApiError(error: unknown): unknown {
  if (error instanceof StoreError && error.code === 'input_unavailable') return new ApiError('unavailable');
  if (!(error instanceof ScanFailed)) return error;
  const { reason, status = 0 } = error;
  if (reason === 'too_large') return fileTooLarge();
  if (TEMPORARY.has(reason) || status >= 500)
    return new ApiError('unavailable', { message: "The service couldn't download the file." });
  return invalidUrl(MESSAGES[reason] ?? `The server didn't send the file (status ${status}).`);
}
