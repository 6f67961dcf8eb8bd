import { pipeline } from 'node:stream';
import { type BrotliDecompress, createBrotliDecompress, createGunzip, type Gunzip } from 'node:zlib';
import type { TruncationReason } from '../capture.ts';
import { ScanFailed } from '../scan-failed.ts';
import { failure } from './failure.ts';
import { type Answer, discard } from './follow.ts';
import type { Session } from './session.ts';

/** A decompressed body. `cut` is the reason why the body was truncated, or null if the body is complete. */
export type Body = { bytes: Buffer; cut: TruncationReason | null };

/**
 * Reads and decompresses a body up to its limits. At a limit, closes the connection and returns the bytes read so far.
 * Counts decompressed bytes and ignores declared lengths.
 *
 * @param cap maximum number of bytes to keep
 * @throws ScanFailed with `timed_out`, or with `broken_response` if the body ends early or doesn't match its encoding
 */
export async function readResponseBody(session: Session, answer: Answer, cap: number): Promise<Body> {
  const { budget, limits, signal } = session;
  const chunks: Buffer[] = [];
  let size = 0;
  let cut: TruncationReason | null = null;
  try {
    const decompressor = decompressorFor(answer);
    if (decompressor) pipeline(answer.body, decompressor, () => {});
    for await (const chunk of (decompressor ?? answer.body) as AsyncIterable<Buffer>) {
      const room = Math.min(cap - size, budget.bytes);
      const kept = chunk.subarray(0, room);
      chunks.push(kept);
      size += kept.length;
      budget.bytes -= kept.length;
      if (kept.length < chunk.length) cut = size === cap ? 'size' : 'total_size';
      else if (decompressor && size > limits.ratioFromBytes && size > decompressor.bytesWritten * limits.ratio)
        cut = 'ratio';
      if (cut) break;
    }
  } catch (error) {
    throw failure(error, signal);
  } finally {
    discard(answer);
  }
  return { bytes: Buffer.concat(chunks), cut };
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
