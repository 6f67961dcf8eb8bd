import { Worker } from 'node:worker_threads';
import type { QueryResult } from 'kysely';

/** Request to the database thread. `file` is the ID of a database file. */
export type ThreadRequest = { readonly id: number; readonly file: number } & (
  | { readonly kind: 'open'; readonly path: string }
  | { readonly kind: 'execute'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly kind: 'checkpoint' }
  | { readonly kind: 'close' }
);

/** Reply to a request. Errors are plain data, because a copied error would lose SQLite's result code. */
export interface ThreadReply {
  readonly id: number;
  readonly content:
    | { readonly value: unknown }
    | { readonly error: { readonly message: string; readonly errcode?: number; readonly code?: string } };
}

/** A database file that's open in the database thread, so that syncing the disk doesn't block the event loop. */
export interface ThreadFile {
  /** Runs one statement. @throws Error from SQLite, with its `errcode` */
  execute(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>>;
  /**
   * Runs a checkpoint, which moves pages from the write-ahead log to the database file. Doesn't wait for other
   * connections.
   */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
}

type Operation = ThreadRequest extends infer Request
  ? Request extends unknown
    ? Omit<Request, 'id' | 'file'>
    : never
  : never;

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const pending = new Map<number, Pending>();
let thread: Worker | null = null;
let requests = 0;
let files = 0;

/**
 * Opens a file in the process's database thread, and starts the thread if needed. The thread doesn't keep the process
 * running, unless a request is pending. If the thread fails, the process fails too.
 *
 * @throws Error from SQLite
 * @example await (await openInThread('data/compliance.sqlite')).execute('select 1', [])
 */
export async function openInThread(path: string): Promise<ThreadFile> {
  files += 1;
  const file = files;
  await send(file, { kind: 'open', path });
  return {
    execute: async (sql, parameters) =>
      (await send(file, { kind: 'execute', sql, parameters })) as QueryResult<unknown>,
    checkpoint: async () => void (await send(file, { kind: 'checkpoint' })),
    close: async () => void (await send(file, { kind: 'close' })),
  };
}

function send(file: number, operation: Operation): Promise<unknown> {
  thread ??= start();
  const running = thread;
  requests += 1;
  const id = requests;
  if (pending.size === 0) running.ref();
  return new Promise((resolve, reject) => {
    pending.set(id, { resolve, reject });
    running.postMessage({ ...operation, id, file });
  });
}

function start(): Worker {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const started = new Worker(new URL(`./thread-main.${extension}`, import.meta.url), { name: 'SQLite' });
  started.on('message', ({ id, content }: ThreadReply) => {
    const { resolve, reject } = pending.get(id)!;
    pending.delete(id);
    if (pending.size === 0) started.unref();
    if ('value' in content) resolve(content.value);
    else reject(Object.assign(new Error(content.error.message), content.error));
  });
  return started;
}
