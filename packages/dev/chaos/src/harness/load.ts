import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { ScenarioContext } from '../model/scenario.ts';
import type { Service } from './service.ts';

/** HTTP statuses and error codes of responses that ask the client to retry. */
const RETRYABLE = ['503 unavailable', '503 storage_full', '409 idempotency_running'];

/** Time limit for the last retries after the load stops, in milliseconds. */
const GIVE_UP_MS = 10_000;

export const LOOKUP = { path: '/api/v1/tariff/hts/lookup', body: { codes: ['7318.15.2061', '8481.80.3010'] } };

/** Returns a request for a product certificate. */
export const certificateOf = (name: string) => ({
  path: '/api/v1/entry/gcc/generate',
  body: {
    product_info: { name, date_of_manufacture: '2026-09-14', place_of_manufacture: 'Shenzhen, China' },
    manufacturer: { name: 'Velo Safety', address: '88 Keyuan Road, Shenzhen', contact_email: 'desk@velo.example' },
    testing_lab: { name: 'Pacific Test Laboratories', test_date: '2026-08-30' },
    cpsc_rules_cited: ['16 CFR 1203'],
  },
});

/** Outcome of one request: a response, or a connection error's code. */
export interface LoadResponse {
  readonly status: number;
  readonly code: string;
  readonly retryAfter: number | null;
  readonly body: Record<string, string>;
}

/** Sends one request to a process. */
export async function send(
  base: string,
  key: string,
  { path, body }: { path: string; body: object },
  { agent, headers = {} }: { agent?: Agent; headers?: Record<string, string> } = {},
): Promise<LoadResponse> {
  const sent = request(base + path, {
    method: 'POST',
    agent,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    timeout: 60_000,
  });
  sent.end(JSON.stringify(body));
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const parsed = JSON.parse((await response.toArray()).join('')) as Record<string, string>;
    const retryAfter = response.headers['retry-after'];
    const status = response.statusCode ?? 0;
    return { status, code: parsed.error ?? 'ok', retryAfter: retryAfter ? Number(retryAfter) : null, body: parsed };
  } catch (error) {
    return { status: 0, code: (error as NodeJS.ErrnoException).code ?? `${error}`, retryAfter: null, body: {} };
  }
}

/** Requests that run in the background until they're stopped. */
export interface Load {
  /** Finishes the current requests and retries, and then stops. */
  stop(): Promise<void>;
}

/** Load settings. */
export interface LoadOptions {
  readonly keys: readonly string[];
  /** Returns the processes that requests can be sent to. */
  readonly services: () => readonly Service[];
  /**
   * When connections are allowed to drop: `kill` if the scenario kills processes that receive requests, and `never`
   * otherwise.
   */
  readonly resets: 'kill' | 'never';
  readonly loops?: number;
  /** Prefix of the product name in each certificate request. */
  readonly prefix?: string;
}

/**
 * Sends lookups and certificate requests in several concurrent loops. Like real clients, the loops retry with the same
 * idempotency key.
 */
export function startLoad({ tally }: ScenarioContext, options: LoadOptions): Load {
  const { keys, services, resets, loops = 6, prefix = 'load' } = options;
  let stopping = false;
  let stoppedAt = Number.POSITIVE_INFINITY;
  let sequence = 0;

  const givesUp = (name: string | null) =>
    stopping &&
    (name === null || services().every(({ accepting }) => !accepting) || performance.now() - stoppedAt > GIVE_UP_MS);

  async function attempt(name: string | null, loop: Agent): Promise<boolean> {
    const [service] = services()
      .filter(({ accepting }) => accepting)
      .sort(() => Math.random() - 0.5);
    if (!service) {
      await pause(50);
      return false;
    }
    const headers = name === null ? {} : { 'Idempotency-Key': name };
    const key = keys[sequence++ % keys.length]!;
    // An idempotency key is scoped to an API key, so retries must use the same API key.
    const fixed = name === null ? key : keys[Number(name.replace(/\D/g, '')) % keys.length]!;
    tally.requests++;
    const answer = await send(service.base, fixed, name === null ? LOOKUP : certificateOf(name), {
      agent: loop,
      headers,
    });
    const { status, code, body, retryAfter } = answer;
    if (status === 200) {
      if (name !== null) tally.acknowledged.push({ id: body.gcc_id!, sha256: body.sha256!, name });
      return true;
    }
    const outcome = status === 0 ? code : `${status} ${code}`;
    if (status === 0 && resets === 'never')
      tally.resets.push(`${outcome} (${service.accepting ? 'accepting' : 'stopping'})`);
    else if (status !== 0 && !RETRYABLE.includes(outcome)) tally.unexplained.push(outcome);
    else tally.explained.set(outcome, (tally.explained.get(outcome) ?? 0) + 1);
    if (code === 'idempotency_running' && !(retryAfter !== null && retryAfter >= 1 && retryAfter <= 5))
      tally.unexplained.push(`idempotency_running with Retry-After ${retryAfter}`);
    await pause(Math.min((retryAfter ?? 0.1) * 1000, stopping ? 200 : 1_000));
    return false;
  }

  async function loop(number: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; !stopping; i++) {
      const name = i % 3 === 0 ? `${prefix}-${number * 100_000 + i}` : null;
      // Retry until the request succeeds. After the load stops, retry only certificate requests until the time limit.
      while (!(await attempt(name, agent)) && !givesUp(name));
    }
    agent.destroy();
  }

  const running = Array.from({ length: loops }, (_, number) => loop(number));
  return {
    async stop() {
      stopping = true;
      stoppedAt = performance.now();
      await Promise.all(running);
    },
  };
}
