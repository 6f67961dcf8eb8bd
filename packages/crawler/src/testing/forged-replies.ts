import { writeSync } from 'node:fs';

/** Writes bytes to the worker's channel, as a compromised worker could, and then replies as usual. */
export async function sendBytes({ bytes, times }: { bytes: Uint8Array; times: number }): Promise<string> {
  for (let time = 0; time < times; time++) {
    for (let sent = 0; sent < bytes.length; ) {
      try {
        sent += writeSync(3, bytes, sent);
      } catch (error) {
        // `EAGAIN` means that the socket's buffer is full, so try again.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      }
    }
  }
  // Give the parent time to read the forged reply before the real one.
  await new Promise(done => setTimeout(done, 100));
  return 'genuine';
}

/** Sends bytes while the next job runs. */
export function sendBytesLater(input: { bytes: Uint8Array; times: number }): string {
  setTimeout(() => sendBytes(input), 50);
  return 'genuine';
}
