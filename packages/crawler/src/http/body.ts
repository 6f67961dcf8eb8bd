import { pipeline } from 'node:stream';
import { type BrotliDecompress, createBrotliDecompress, createGunzip, type Gunzip } from 'node:zlib';
import type { TruncationReason } from '../capture.ts';
import { ScanFailed } from '../scan-failed.ts';
import { failure } from './failure.ts';
import { type Answer, discard } from './follow.ts';
import type { Session } from './session.ts';

/** A decompressed body. `cut` is the reason that the body was truncated, or null if the body is complete. */
export type Body = { bytes: Buffer; cut: TruncationReason | null };

/**
 * Reads and decompresses a body up to its limits. When a limit is reached, closes the connection and returns the bytes
 * read so far. Counts decompressed bytes and ignores declared lengths.
 *
 * @param cap maximum number of bytes to keep
 * @throws ScanFailed with `timed_out`, or with `broken_response` if the body ends early or doesn't match its encoding
 */
export async function readResponseBody(session: Session, answer: Answer, cap: number): Promise<Body> {
  const chunks: Buffer[] = [];
  const reading = readChunks(session, answer, cap);
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return { bytes: Buffer.concat(chunks), cut: value };
    chunks.push(value);
  }
}

/** Yields the chunks of a body and returns the reason for truncating it, like {@link readResponseBody}. */
export async function* readChunks(
  session: Session,
  answer: Answer,
  cap: number,
): AsyncGenerator<Buffer, TruncationReason | null> {
  const { budget, limits, signal } = session;
  let size = 0;
  try {
    const decompressor = decompressorFor(answer);
    if (decompressor) pipeline(answer.body, decompressor, () => {});
    for await (const chunk of (decompressor ?? answer.body) as AsyncIterable<Buffer>) {
      const room = Math.min(cap - size, budget.bytes);
      const kept = chunk.subarray(0, room);
      size += kept.length;
      budget.bytes -= kept.length;
      yield kept;
      if (kept.length < chunk.length) return size === cap ? 'size' : 'total_size';
      if (decompressor && size > limits.ratioFromBytes && size > decompressor.bytesWritten * limits.ratio)
        return 'ratio';
    }
    return null;
  } catch (error) {
    throw failure(error, signal);
  } finally {
    discard(answer);
  }
}

function decompressorFor(answer: Answer): Gunzip | BrotliDecompress | null {
  switch (answer.headers['content-encoding']?.trim().toLowerCase() ?? '') {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    default:
      // Reject all other encodings, because the request accepts only gzip and br. Rejecting combined encodings also
      // stops nested decompression bombs.
      throw new ScanFailed('broken_response');
  }
}
