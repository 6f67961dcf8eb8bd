import { expect } from 'vitest';
import type { Outcome } from '../play/play.ts';
import type { Runtime } from '../play/runtimes.ts';

/** What a client calls: an operation by its id or `download`, where, with which key. */
export interface Call {
  id: string;
  base: string;
  key: string;
  args: unknown;
  idempotencyKey?: string;
}

/** Lets a client make one call, with no second try. Nothing that it prints holds the key. */
export async function call(runtime: Runtime, { id, base, key, args, idempotencyKey }: Call): Promise<Outcome> {
  const options = idempotencyKey ? { idempotencyKey } : {};
  const part = { id: 'call', call: id, args, key, baseURL: base, times: 1, maxRetries: 0, options };
  const { call: outcomes } = (await runtime.run({ play: [part] })) as { call: Outcome[] };
  expect(outcomes[0]!.printed).not.toContain(key);
  return outcomes[0]!;
}
