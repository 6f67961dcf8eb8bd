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
export async function call(runtime: Runtime, clientCall: ClientCall): Promise<CaseOutcome> {
  const { only } = await callEach(runtime, { only: clientCall });
  return only!;
}

/**
 * Makes several calls with one client process, which is faster than starting a process for each call. Returns the
 * outcomes by call name. Like `call`, this function doesn't retry, and it asserts that the client's output doesn't
 * contain the API keys.
 */
export async function callEach(
  runtime: Runtime,
  calls: Readonly<Record<string, ClientCall>>,
): Promise<Record<string, CaseOutcome>> {
  const cases = Object.entries(calls).map(([name, { id, base, key, args, idempotencyKey }]) => {
    const options = idempotencyKey ? { idempotencyKey } : {};
    return { ...callSpec(id), id: name, args, key, baseURL: base, times: 1, maxRetries: 0, options };
  });
  const outcomes = (await runtime.run({ cases })) as Record<string, CaseOutcome[]>;
  return Object.fromEntries(
    cases.map(({ id, key }) => {
      const [outcome] = outcomes[id]!;
      expect(outcome!.printed).not.toContain(key);
      return [id, outcome!];
    }),
  );
}
