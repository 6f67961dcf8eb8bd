import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KeyScope, openStore } from '@compliance/store';
import { type ApiDeps, createApi } from '../api.ts';

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
  const api = createApi({ store, clock, onFailure: failure => failures.push(failure), ...extra });

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
  const get = async (path: string, init: RequestInit = {}) =>
    await api.fetch(new Request(`http://service.test${path}`, init));
  const stop = async () => {
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { api, store, time, failures, issue, call, get, stop, dataDir };
}
