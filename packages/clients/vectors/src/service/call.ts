import { expect } from 'vitest';
import { type CaseOutcome, callSpec } from '../runner/run-cases.ts';
import type { Runtime } from '../runner/runtimes.ts';

/** Call that a client makes. `id` is an operation ID or `download`. */
export interface ClientCall {
  id: string;
  base: string;
  key: string;
  args: unknown;
  idempotencyKey?: string;
}

/** Makes one call with a client, without retries. Asserts that the client's output doesn't contain the API key. */
export async function call(
  runtime: Runtime,
  { id, base, key, args, idempotencyKey }: ClientCall,
): Promise<CaseOutcome> {
  const options = idempotencyKey ? { idempotencyKey } : {};
  const part = { ...callSpec(id), id: 'call', args, key, baseURL: base, times: 1, maxRetries: 0, options };
  const { call: outcomes } = (await runtime.run({ cases: [part] })) as { call: CaseOutcome[] };
  expect(outcomes[0]!.printed).not.toContain(key);
  return outcomes[0]!;
}
