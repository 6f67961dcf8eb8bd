/** Size, in bytes, of the header that contains a message's length. */
const HEADER_BYTES = 4;

/**
 * Prefixes a message with its length. Worker processes and their parent send messages in this format.
 *
 * @param message shorter than 4 GiB
 * @example channel.write(frame(serialize({ result: 42 })))
 */
export function frame(message: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + message.length);
  bytes.writeUInt32BE(message.length);
  bytes.set(message, HEADER_BYTES);
  return bytes;
}

/**
 * Creates a function that splits a stream into messages, regardless of how the stream is divided into chunks. The
 * function never allocates more memory than it needs for a message of the maximum length.
 *
 * @param onMessage is called with each message, or with null for a message longer than `maxBytes`
 * @example
 * const read = createFrameReader(1_024, message => console.log(message));
 * channel.on('data', read);
 */
export function createFrameReader(
  maxBytes: number,
  onMessage: (message: Uint8Array | null) => void,
): (chunk: Buffer) => void {
  const header = Buffer.alloc(HEADER_BYTES);
  let message: Buffer | null = null;
  let filled = 0;
  return chunk => {
    let rest = chunk;
    do {
      const target = message ?? header;
      const copied = rest.copy(target, filled);
      filled += copied;
      rest = rest.subarray(copied);
      if (filled < target.length) return;
      filled = 0;
      if (message) {
        const complete = message;
        message = null;
        onMessage(complete);
      } else {
        const length = header.readUInt32BE();
        if (length > maxBytes) return onMessage(null);
        message = Buffer.allocUnsafe(length);
      }
    } while (rest.length > 0 || message?.length === 0);
  };
}
