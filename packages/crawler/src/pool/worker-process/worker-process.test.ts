import { serialize } from 'node:v8';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type * as Forged from '../../testing/forged-replies.ts';
import type * as Jobs from '../../testing/jobs.ts';
import { createPool, type Pool, siblingModule } from '../pool.ts';
import type { WorkerLaunch } from '../sandbox/index.ts';
import { createFrameReader, frame } from './frame.ts';
import { MAX_REPLY_BYTES, readReply } from './reply.ts';
import { createWorkerProcess } from './worker-process.ts';

const forged = siblingModule(import.meta.url, '../../testing/forged-replies');
const jobs = siblingModule(import.meta.url, '../../testing/jobs');
let pool: Pool | undefined;

afterEach(() => pool?.close());

class Exploit {
  get secret(): string {
    throw new Error('a getter ran');
  }
}

const header = (length: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
};
const polluted = frame(serialize({ id: 'a', result: JSON.parse('{ "a": { "__proto__": { "polluted": true } } }') }));

describe('a reply forged by a compromised worker', () => {
  it.each<[string, Uint8Array, number]>([
    ['random bytes', Buffer.from('{"cmd":"NODE_HANDLE_ACK"}\n'.repeat(20)), 1],
    ['an announced length of 4 GB', header(0xffffffff), 1],
    ['more bytes than the limit', frame(Buffer.alloc(MAX_REPLY_BYTES + 1)), 1],
    ['a message that isn’t serialized', frame(Buffer.from('null')), 1],
    ['an empty message', frame(new Uint8Array()), 1],
    ['a reply to another job', frame(serialize({ id: 'a', result: 1 })), 1],
    ['null', frame(serialize(null)), 1],
    ['a reply without a result', frame(serialize({ id: 'a', isEvent: true })), 1],
    ['an error that isn’t text', frame(serialize({ id: 'a', error: { toString: 1 } })), 1],
    ['a property named __proto__', polluted, 1],
    ['a regular expression', frame(serialize({ id: 'a', result: /^(a+)+$/ })), 1],
    ['an array of four billion holes', frame(serialize({ id: 'a', result: new Array(2 ** 32 - 1) })), 1],
  ])('kills the worker and fails only that job after receiving %s', async (_, bytes, times) => {
    pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 64, queue: 10 });
    await expect(pool.run<typeof Forged.sendBytes>(forged, 'sendBytes', { bytes, times })).rejects.toMatchObject({
      reason: 'crashed',
    });
    expect(await pool.run<typeof Jobs.double>(jobs, 'double', 21)).toBe(42);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each(['sendBytes', 'sendBytesLater'] as const)('never becomes the result of another job: %s', async name => {
    pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 64, queue: 10 });
    const bytes = frame(serialize({ id: 'a', result: 'forged' }));
    await pool
      .run<typeof Forged.sendBytes | typeof Forged.sendBytesLater>(forged, name, { bytes, times: 5 })
      .catch(() => {});
    expect(await pool.run<typeof Jobs.later>(jobs, 'later', 300)).toBe('done');
  });
});

describe('a worker process that doesn’t start', () => {
  const launchOf = (command: string, ...args: string[]) => ({ command, args, memoryMb: 64, files: [] });

  it.each<[string, WorkerLaunch, RegExp]>([
    ['a command that doesn’t exist', launchOf('/missing'), /didn't start/],
    ['a command that fails', launchOf('/bin/sh', '-c', 'exit 1'), /didn't start/],
    ['a command that hangs', launchOf('/bin/sleep', '60'), /didn't start within 500 ms/],
  ])('never blames the job: %s', async (_, launch, message) => {
    const worker = createWorkerProcess(() => launch);
    const failure = await worker.run({ module: jobs.href, name: 'double', input: 1 }, 500).catch(error => error);
    expect(failure).toMatchObject({
      reason: 'not_started',
      blamesInput: false,
      message: expect.stringMatching(message),
    });
    await worker.close();
  });

  it('reports a job whose module can’t be loaded as not started, and still runs the next job', async () => {
    pool = createPool({ workers: 1, timeoutMs: 30_000, memoryMb: 64, queue: 10 });
    const missing = siblingModule(import.meta.url, '../../testing/missing');
    for (let attempt = 0; attempt < 2; attempt++) {
      const failed = pool.run<typeof Jobs.double>(missing, 'double', 1);
      await expect(failed).rejects.toMatchObject({
        reason: 'not_started',
        message: expect.stringMatching(/load its code/),
      });
    }
    expect(await pool.run<typeof Jobs.double>(jobs, 'double', 21)).toBe(42);
  });
});

describe('readReply', () => {
  it('accepts only plain data', () => {
    const plain = { list: [1, null, undefined, 'é'], map: new Map([[1, new Set(['a'])]]), bytes: new Uint8Array(3) };
    expect(readReply(serialize({ id: 'a', result: plain }))).toEqual({ id: 'a', result: plain });
    expect(readReply(serialize({ id: 'a', error: 'x'.repeat(5_000) }))).toEqual({ id: 'a', error: 'x'.repeat(1_000) });
    for (const value of [new Error('x'), Object('boxed'), new ArrayBuffer(3), /x/, new Array(2)]) {
      expect(readReply(serialize({ id: 'a', result: { value } }))).toBeNull();
    }
  });

  it('turns a class instance into plain data without getters', () => {
    const reply = readReply(serialize({ id: 'a', result: new Exploit() })) as { result: object };
    expect(Object.getPrototypeOf(reply.result)).toBe(Object.prototype);
    expect(Object.keys(reply.result)).toEqual([]);
  });

  it('returns plain data or null for any bytes, and never throws', () => {
    const valid = serialize({
      id: 'a',
      result: { list: [1, 'two', { three: [3n, new Date(0)] }], map: new Map([['a', 1]]) },
    });
    const changes = fc.array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { maxLength: 6 });
    fc.assert(
      fc.property(changes, fc.nat(valid.length), (changed, length) => {
        const bytes = Buffer.from(valid.subarray(0, length));
        for (const [index, byte] of changed) if (index < length) bytes[index] = byte;
        const reply = readReply(bytes);
        if (reply) expect(Object.keys(reply)).toHaveLength(2);
      }),
    );
  });
});

describe('createFrameReader', () => {
  it('returns the same messages regardless of how the stream is divided', () => {
    const messages = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 });
    fc.assert(
      fc.property(messages, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sent, sizes) => {
        const read: (Uint8Array | null)[] = [];
        const reader = createFrameReader(40, message => read.push(message));
        let rest = Buffer.concat(sent.map(frame));
        for (let index = 0; rest.length > 0; index++) {
          const size = sizes[index % sizes.length]!;
          reader(rest.subarray(0, size));
          rest = rest.subarray(size);
        }
        expect(read.map(message => [...message!])).toEqual(sent.map(message => [...message]));
      }),
    );
  });
});
