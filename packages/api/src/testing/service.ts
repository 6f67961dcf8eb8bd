import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KeyScope, openStore } from '@compliance/store';
import { expect } from 'vitest';
import { type ApiDeps, createApi } from '../api.ts';
import type { Connection } from '../gates/client-address.ts';
import type { RequestLog } from '../observe.ts';
import type { Endpoint } from '../operations/operation.ts';

/** A key, an e-mail address, a signature of a link or another bearer token. */
const SECRET = /cmpl_live_|bearer|[\w.+-]+@[\w-]+\.[a-z]{2,}|[?&](sig|signature|token)=/i;

/** 2026-11-21, noon in New York. */
const NOON = Date.UTC(2026, 10, 21, 17);

/** The fields of answers that tests read. */
interface Body {
  error?: string;
  issues: unknown[];
  results: { code: string }[];
  list: { as_of: string };
}

/** The parsed body of an answer. */
export async function bodyOf(response: Response): Promise<Body> {
  return (await response.json()) as Body;
}

/** The API over a real store in a folder of its own, with a clock that the test moves. */
export async function startService(extra: Partial<ApiDeps> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'compliance-api-'));
  const time = { now: NOON };
  const clock = () => time.now;
  const store = await openStore({ dataDir, clock });
  const failures: unknown[] = [];
  const lines: string[] = [];
  const write = (facts: object) => lines.push(JSON.stringify(facts));
  const log: RequestLog = { info: write, error: write };
  const api = createApi({ store, clock, log, onFailure: failure => failures.push(failure), ...extra });

  const issue = async (scope: KeyScope = 'all', note = 'delegate:on') =>
    (await store.keys.issue({ scope, note, actor: 'test' })).key;

  /** A call of an operation; `body` is sent as it is when it is a text. */
  const call = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
    await api.fetch(
      new Request(`http://service.test${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
    );
  const get = async (path: string, init: RequestInit = {}, connection: Connection = {}) =>
    await api.fetch(new Request(`http://service.test${path}`, init), connection);
  /** A call of an operation, as its method wants it. */
  const ask = async (endpoint: Endpoint, request: unknown, headers: Record<string, string> = {}) =>
    endpoint.method === 'post'
      ? await call(endpoint.path, request, headers)
      : await get(addressOf(endpoint, request as Record<string, string>), { headers });
  const stop = async () => {
    // Whatever a test did: nothing of it may be in the log but what a reader may see.
    expect(lines.filter(line => SECRET.test(line))).toEqual([]);
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { api, store, time, failures, lines, issue, call, get, ask, stop, dataDir };
}

/** Path and query of a request. */
export function addressOf({ path }: Endpoint, request: Record<string, string>): string {
  const query = new URLSearchParams(request);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    query.delete(name);
    return encodeURIComponent(request[name]!);
  });
  return query.size > 0 ? `${filled}?${query}` : filled;
}
