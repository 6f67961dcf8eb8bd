import { pipeline } from 'node:stream';
import { type BrotliDecompress, createBrotliDecompress, createGunzip, type Gunzip } from 'node:zlib';
import type { Cut } from '../capture.ts';
import { ScanFailed } from '../scan-failed.ts';
import { failure } from './failure.ts';
import { type Answer, discard } from './follow.ts';
import type { Session } from './session.ts';

/** A body as plain bytes, and the limit that cut it, if one did. */
export type Body = { bytes: Buffer; cut: Cut | null };

/**
 * Reads a body, decompressing as it goes, and stops at the first limit: the connection is then closed and what came so
 * far is returned. Declared lengths are not believed; bytes are counted as they come out of the decompressor.
 *
 * @param cap most bytes to keep
 * @throws ScanFailed `timed_out`, or `broken_response` when the body ends early or is not in the encoding it claims
 */
export async function readBody(session: Session, answer: Answer, cap: number): Promise<Body> {
  const { limits, signal } = session;
  const chunks: Buffer[] = [];
  let size = 0;
  let cut: Cut | null = null;
  try {
    const decompressor = decompressorFor(answer);
    if (decompressor) pipeline(answer.body, decompressor, () => {});
    for await (const chunk of (decompressor ?? answer.body) as AsyncIterable<Buffer>) {
      const room = Math.min(cap - size, limits.totalBytes - session.spentBytes);
      const kept = chunk.subarray(0, room);
      chunks.push(kept);
      size += kept.length;
      session.spentBytes += kept.length;
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
      // Only gzip and br were offered. Encodings stacked on each other are how bombs are built.
      throw new ScanFailed('broken_response');
  }
}
