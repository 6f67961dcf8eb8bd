import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { deserialize, serialize } from 'node:v8';
import { lockProcess } from '../sandbox/lock-process.ts';
import { createFrameReader, frame } from './frame.ts';
import { MAX_REPLY_BYTES, type Reply } from './reply.ts';
import type { Call } from './worker-process.ts';

/** File descriptor of the socket that connects the worker to its parent. */
const CHANNEL = 3;

/** Maximum size of a job. The parent is trusted, so this is the largest size that fits in a frame header. */
const MAX_JOB_BYTES = 2 ** 32 - 1;

/** Priority of a worker process. The service has priority 0, so it can respond even if the workers use every core. */
const WORKER_PRIORITY = 5;

/** Runs one job in this worker process: imports the job's module and calls the job's function. */
async function run({ id, module, name, input }: Call & { readonly id: string }): Promise<Reply> {
  let functions: Record<string, (input: unknown) => unknown>;
  try {
    functions = await import(module);
  } catch (error) {
    return { id, importError: messageOf(error) };
  }
  try {
    const job = functions[name];
    if (typeof job !== 'function') throw new Error(`no function ${name} in ${module}`);
    return { id, result: await job(input) };
  } catch (error) {
    return { id, error: messageOf(error) };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

function encode(reply: Reply): Uint8Array {
  try {
    const bytes = serialize(reply);
    if (bytes.length <= MAX_REPLY_BYTES) return bytes;
    return serialize({
      id: reply.id,
      error: `the result is ${bytes.length} bytes, which exceeds the limit of ${MAX_REPLY_BYTES} bytes`,
    });
  } catch {
    return serialize({ id: reply.id, error: "the result can't be serialized" });
  }
}

try {
  setPriority(WORKER_PRIORITY);
} catch {
  // Some sandboxes forbid lowering the priority. In that case, the worker competes with the service for CPU time.
}
const channel = new Socket({ fd: CHANNEL });
const read = createFrameReader(MAX_JOB_BYTES, async message => {
  channel.write(frame(encode(await run(deserialize(message!)))));
});
// The channel closes when the parent no longer needs the worker or when the parent dies.
channel.on('data', read).on('close', () => process.exit());
lockProcess();
// An empty message indicates to the parent that the process has started.
channel.write(frame(new Uint8Array()));
