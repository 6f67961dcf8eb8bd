import type { Readable, Writable } from 'node:stream';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;

/** An event from the browser, with the session (page, frame, or worker) that it belongs to. */
export type BrowserEvent = {
  [Name in keyof Events]: {
    readonly method: Name;
    readonly params: Events[Name][0];
    readonly sessionId: string | undefined;
  };
}[keyof Events];

/** Connection to a browser over the DevTools protocol. */
export interface CdpConnection {
  /**
   * Sends a command and returns its result.
   *
   * @param sessionId the session that receives the command, or undefined for the browser itself
   * @throws Error if the command fails or the connection to the browser is closed
   */
  send<Name extends keyof Commands>(
    method: Name,
    params: Commands[Name]['paramsType'][0],
    sessionId?: string,
  ): Promise<Commands[Name]['returnType']>;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;
}

/**
 * Maximum length of one message, in bytes. The browser runs untrusted code, so a message can be arbitrarily long, and
 * this process must not buffer all of it.
 */
const MAX_MESSAGE = 16 * 1024 * 1024;

/** Maximum number of messages from the browser, because a page can make the browser send messages indefinitely. */
const MAX_MESSAGES = 200_000;

/**
 * Connects to a browser through a pair of pipes. Messages are JSON and end with a NUL character. If the browser sends
 * an invalid message, a message that's too long, or too many messages, the connection is closed.
 *
 * @param onEvent called for each event; must not throw
 * @example const { send } = connectCdp({ input: child.stdio[3], output: child.stdio[4] }, event => record(event));
 */
export function connectCdp(
  { input, output }: { readonly input: Writable; readonly output: Readable },
  onEvent: (event: BrowserEvent) => void,
): CdpConnection {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void; method: string }>();
  let lastId = 0;
  let parts: Buffer[] = [];
  let size = 0;
  let received = 0;
  let isClosed = false;

  const receive = (text: string): void => {
    const message = JSON.parse(text);
    if (message.id === undefined) {
      onEvent(message);
      return;
    }
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) call?.reject(new Error(`${call.method}: ${message.error.message}`));
    else call?.resolve(message.result);
  };

  const closed = new Promise<void>(resolve => {
    const close = (): void => {
      isClosed = true;
      for (const { reject, method } of waiting.values())
        reject(new Error(`${method}: the connection to the browser was closed`));
      waiting.clear();
      resolve();
    };
    output.on('close', close).on('error', close);
    input.on('error', close);
  });

  output.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
      parts.push(chunk.subarray(from, end));
      const text = Buffer.concat(parts).toString('utf8');
      parts = [];
      size = 0;
      from = end + 1;
      received += 1;
      try {
        receive(text);
      } catch {
        output.destroy();
        return;
      }
    }
    const rest = chunk.subarray(from);
    size += rest.length;
    if (rest.length > 0) parts.push(rest);
    if (size > MAX_MESSAGE || received > MAX_MESSAGES) output.destroy();
  });

  return {
    closed,
    send(method, params, sessionId) {
      if (isClosed) return Promise.reject(new Error(`${method}: the connection to the browser was closed`));
      lastId += 1;
      const id = lastId;
      input.write(`${JSON.stringify({ id, method, params: params ?? {}, ...(sessionId && { sessionId }) })}\0`);
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve: resolve as (result: unknown) => void, reject, method });
      });
    },
  };
}
