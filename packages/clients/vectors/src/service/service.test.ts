import { randomUUID } from 'node:crypto';
import type { KeyScope } from '@compliance/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OperationShape, readOperations } from '../codegen/document.ts';
import { allGroups, type Method, methodTree } from '../codegen/methods.ts';
import { namedTypes } from '../codegen/types.ts';
import { availableClients, newestOfEachVariant } from '../runner/available.ts';
import type { CaseOutcome } from '../runner/run-cases.ts';
import { buildFolder, type Runtime } from '../runner/runtimes.ts';
import { type ClientCall, call, callEach } from './call.ts';
import { startGateway, startService } from './service.ts';

/** Response fields that the certificate test reads. */
interface GccGenerateResponse {
  gcc_id: string;
  status: string;
  supersedes: string | null;
  sha256: string;
  pdf_sha256: string;
}

interface GccListResponse {
  certificates: { gcc_id: string }[];
  next_cursor: string | null;
}

const { folder, close } = buildFolder();
const service = await startService();
const gateway = await startGateway(service.base);
const brokenGateway = await startGateway('http://127.0.0.1:9');
const { runtimes } = await availableClients(folder);
const { operations, schemas } = readOperations();
const methods = allGroups(methodTree(operations, namedTypes(operations, schemas))).flatMap(group => group.methods);
afterAll(async () => {
  await Promise.all([gateway.stop(), brokenGateway.stop(), service.stop()]);
  close();
});

/**
 * Returns a request that a client can send but that the service rejects: required fields are missing or empty, or a
 * path parameter or an option is invalid.
 */
function invalidRequest({ operation, path, takes, options }: Method): object {
  const inPath = Object.fromEntries(path.map(({ name }) => [name, operation.examples[0]![name]]));
  if (takes === 'request') return inPath;
  if (takes.length === 0) {
    const invalid = ({ type }: Method['options'][number]) =>
      type.kind === 'integer' || type.kind === 'number' ? -1 : 'invalid';
    return Object.fromEntries([...path, ...options.slice(0, 1)].map(field => [field.name, invalid(field)]));
  }
  const empty = takes.map(({ name, type }) => {
    if (operation.path.includes(`{${name}}`)) return [name, 'invalid'];
    return [name, type.kind === 'array' ? [] : ''];
  });
  return { ...inPath, ...Object.fromEntries(empty) };
}

/** Calls an operation directly over HTTP, without a client. */
async function fetchOperation(
  { method, path }: OperationShape,
  key: string,
  args: Record<string, unknown>,
  idempotencyKey: string,
) {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': idempotencyKey,
  };
  const url = service.base + path.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name]));
  const rest = Object.fromEntries(Object.entries(args).filter(([name]) => !path.includes(`{${name}}`)));
  const response = await (method === 'get'
    ? fetch(`${url}?${new URLSearchParams(rest as Record<string, string>)}`, { headers })
    : fetch(url, { method: 'POST', headers, body: JSON.stringify(rest) }));
  return { status: response.status, body: (await response.json()) as { error?: string } };
}

/**
 * Removes the parts of a response that differ between two requests: links, which are signed again for every response,
 * and the ID and creation time of a new watch or job.
 */
function comparable(response: unknown) {
  const {
    gcc_pdf_url: _,
    expires_at: __,
    id: ___,
    created_at: ____,
    ...unsigned
  } = response as Record<string, unknown>;
  const { upload_url: _____, links_expire_at: ______, ...rest } = unsigned;
  return rest;
}

/** Returns the scope that a key needs for an operation, or `all` for job operations, whose scope depends on the job. */
const scopeOf = ({ scope }: OperationShape) => (scope === 'jobs' ? 'all' : scope) as KeyScope;

const UNKNOWN_KEY = 'cmpl_live_all_HDJEx7CHVnq0f2AWdHo0NLAA4X1OqXBA0gQrs7';

/** Rejected calls: name, status, kind, and code. */
const REJECTED = [
  ['400', 400, 'invalid_request', 'invalid_request'],
  ['401', 401, 'authentication', 'unauthorized'],
  ['403 beta', 403, 'beta_access', 'beta'],
  ['403 scope', 403, 'permission', 'scope'],
] as const;

const clients = newestOfEachVariant(runtimes);

const examplesOf = new Map(
  methods.map(({ operation: { id, examples } }) => [
    id,
    examples.map((args, i) => ({ name: `example ${i}`, args, idempotencyKey: randomUUID() })),
  ]),
);

const callName = ({ id }: OperationShape, name: string) => `${id}: ${name}`;

/** Returns named calls of a method, with valid and invalid arguments and keys. */
async function callsOf(clientMethod: Method): Promise<[string, ClientCall][]> {
  const { id, method, examples } = clientMethod.operation;
  const scope = scopeOf(clientMethod.operation);
  const { base } = service;
  const key = await service.issue(scope);
  const args = examples[0]!;
  const calls: Record<string, ClientCall> = {
    ...Object.fromEntries(
      examplesOf
        .get(id)!
        .map(({ name, args, idempotencyKey }) => [
          name,
          { ...{ id, base, key, args }, ...(method === 'post' && { idempotencyKey }) },
        ]),
    ),
    '400': { id, base, key: await service.issue(scope), args: invalidRequest(clientMethod) },
    '401': { id, base, key: UNKNOWN_KEY, args },
    '403 beta': { id, base, key: await service.issue(scope, ''), args },
    '403 scope': { id, base, key: await service.issue(scope === 'pixel' ? 'entry' : 'pixel'), args },
    '429': { id, base, key: await service.issueExhausted(scope), args },
    gateway: { id, base: gateway.base, key: await service.issue(scope), args },
    'broken gateway': { id, base: brokenGateway.base, key, args },
  };
  return Object.entries(calls).map(([name, call]) => [callName(clientMethod.operation, name), call]);
}

/** Call outcomes, by client and call name. Each client makes all calls in one process. */
const outcomesOf = new Map<string, Record<string, CaseOutcome>>();
/** Responses to the examples sent without a client, by call name. */
const direct = new Map<string, Awaited<ReturnType<typeof fetchOperation>>>();

beforeAll(async () => {
  const calls = Object.fromEntries((await Promise.all(methods.map(callsOf))).flat());
  for (const { operation } of methods)
    for (const { name, args, idempotencyKey } of examplesOf.get(operation.id)!) {
      const { key } = calls[callName(operation, name)]!;
      direct.set(callName(operation, name), await fetchOperation(operation, key, args, idempotencyKey));
    }
  await Promise.all(clients.map(async client => outcomesOf.set(client.name, await callEach(client, calls))));
});

describe.each(methods)('operation $operation.id', ({ operation }) => {
  const { id } = operation;
  const outcomeOf = (client: Runtime, name: string) => outcomesOf.get(client.name)![callName(operation, name)]!;

  describe.each(clients)('called with $name', client => {
    it.each(examplesOf.get(id)!)('returns the same response as a direct HTTP request: $name', ({ name }) => {
      const { status, body } = direct.get(callName(operation, name))!;
      const { result, error, rateLimit } = outcomeOf(client, name);
      if (status === 200) expect(comparable(result)).toEqual(comparable(body));
      else expect(error).toMatchObject({ status, code: body.error });
      expect(rateLimit).toEqual([
        expect.objectContaining({ name: 'minute', quota: 100, windowSeconds: 60 }),
        expect.objectContaining({ name: 'day', quota: 10_000, windowSeconds: 86_400 }),
      ]);
    });

    // The scope for a job is checked only if the job exists.
    const isForJob = operation.scope === 'jobs' && id !== 'jobs.create';
    const rejected = REJECTED.filter(([, , , code]) => code !== 'scope' || !isForJob);
    it.each(rejected)('rejects an invalid or unauthorized call with error %s', (name, status, kind, code) => {
      const { error } = outcomeOf(client, name);
      expect(error).toMatchObject({ status, code, requestId: expect.stringMatching(/^[\w-]{8,}$/) });
      expect(error!.kinds[0]).toBe(kind);
      if (status === 400) expect(error).toMatchObject({ issues: expect.arrayContaining([expect.anything()]) });
    });

    it('returns a 429 error with the wait time if the limit of 100 requests per minute is exceeded', () => {
      const { error, rateLimit } = outcomeOf(client, '429');
      expect(error).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: expect.any(Number) });
      expect(error!.kinds).toEqual(['rate_limit']);
      expect((error as { retryAfter?: number }).retryAfter).toBeLessThanOrEqual(60);
      expect(rateLimit).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'minute', remaining: 0 })]));
    });

    it('works through a gateway and reports an upstream error if the gateway responds with 502', () => {
      expect(outcomeOf(client, 'gateway').error?.status).not.toBe(502);
      expect(outcomeOf(client, 'broken gateway').error).toMatchObject({ status: 502, kinds: ['upstream'] });
    });
  });
});

describe.each(clients)('certificates with $name', runtime => {
  it('lists, gets, supersedes, voids, and downloads an account’s certificates', async () => {
    const key = await service.issue('entry');
    const send = async <Result = GccGenerateResponse>(id: string, args: object) => {
      const { result, error } = await call(runtime, { id, base: service.base, key, args });
      expect(error).toBeUndefined();
      return result as Result;
    };
    const { id: _, ...complete } = operations.find(({ id }) => id === 'entry.gcc.supersede')!.examples[0]!;
    const first = await send('entry.gcc.generate', complete);
    const { id: __, ...draft } = operations.find(({ id }) => id === 'entry.gcc.generate')!.examples[0]!;
    const drafted = await send('entry.gcc.generate', { ...draft, supersedes: first.gcc_id });
    expect([first.status, drafted.status, drafted.supersedes]).toEqual(['complete', 'draft', null]);

    const second = await send('entry.gcc.supersede', { id: first.gcc_id, ...complete });
    expect(second).toMatchObject({ status: 'complete', supersedes: first.gcc_id });
    await send('entry.gcc.void', { id: second.gcc_id, reason: 'Wrong laboratory' });
    const [superseded, voided] = [
      await send('entry.gcc.get', { id: first.gcc_id }),
      await send('entry.gcc.get', { id: second.gcc_id }),
    ];
    expect(superseded).toMatchObject({ status: 'superseded', superseded_by: second.gcc_id, sha256: first.sha256 });
    expect(voided).toMatchObject({ status: 'voided', void_reason: 'Wrong laboratory' });
    for (const ended of [superseded, voided]) {
      expect(ended.pdf_sha256).not.toBe(ended.sha256);
      expect(await send<string>('download', ended)).toMatch(/^%PDF-/);
    }

    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: GccListResponse = await send('entry.gcc.list', { limit: 2, ...(cursor && { cursor }) });
      seen.push(...page.certificates.map(({ gcc_id }) => gcc_id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual([second, drafted, first].map(({ gcc_id }) => gcc_id));
    const { certificates } = await send<GccListResponse>('entry.gcc.list', { status: 'draft', search: 'helmet' });
    expect(certificates.map(({ gcc_id }) => gcc_id)).toEqual([drafted.gcc_id]);
  });
});
