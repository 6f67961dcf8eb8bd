import { isDeepStrictEqual } from 'node:util';
import { readOperations } from '../codegen/document.ts';
import { allGroups, type Method, methodTree } from '../codegen/methods.ts';
import { namedTypes } from '../codegen/types.ts';
import { type Case, KEY, PDF } from './case.ts';
import type { Received, startCaseServer } from './case-server.ts';
import type { Runtime } from './runtimes.ts';

/** Outcome of one case, in the same format for all drivers. */
export interface CaseOutcome {
  result?: unknown;
  error?: { kinds: string[]; status?: number | null; code?: string | null; requestId?: string | null };
  response?: unknown;
  /** Hook calls for all calls made with the same client. `printed` contains all printed forms of the event. */
  events?: (Record<string, unknown> & { printed: string })[];
  ended?: 'cancelled' | 'rejected';
  rateLimit?: unknown;
  seconds?: number;
  /** All printed forms of the error, the client, and the objects that the client references. */
  printed?: string;
}

/** Runs the cases with a client and returns each case's failures, keyed by case ID. A case without failures passes. */
export async function runCases(
  runtime: Runtime,
  cases: readonly Case[],
  server: Awaited<ReturnType<typeof startCaseServer>>,
): Promise<Map<string, string[]>> {
  const served = server.serve(cases);
  const plan = cases.map((each, i) => ({ key: KEY, ...forDriver(each, served[i]!.base) }));
  const outcomes = (await runtime.run({ cases: plan })) as Record<string, CaseOutcome[]>;
  return new Map(
    cases.map((each, i) => {
      const results = outcomes[each.id] ?? [];
      const failures = results.length === (each.times ?? 1) ? [] : [`${results.length} outcomes`];
      for (const outcome of results) failures.push(...outcomeFailures(each, outcome, served[i]!.base));
      return [each.id, [...new Set([...failures, ...requestFailures(each, served[i]!.received, runtime.agent)])]];
    }),
  );
}

/** Converts a case to the driver format. */
function forDriver({ id, call, args, client, options, times = 1 }: Case, base: string) {
  const part = { ...callSpec(call), id, args, baseURL: base, ...client, options, times };
  return JSON.parse(JSON.stringify(part), (_, value) =>
    typeof value === 'string' ? value.replaceAll('{base}', base) : value,
  );
}

/** Returns the HTTP method and positional arguments that a driver needs to call an operation. */
export function callSpec(call: string) {
  const method = METHODS.get(call.replace(/_all$/, ''));
  if (!method) return { call };
  const takes = method.takes === 'request' ? 'request' : method.takes.map(({ name }) => name);
  const path = method.path.map(({ name }) => name);
  return { call, method: method.operation.method, path, takes, hasFields: method.options.length > 0 };
}

function outcomeFailures(
  { args, expect }: Case,
  { result, error, ended, rateLimit, response, events = [], seconds = 0, printed = '' }: CaseOutcome,
  base: string,
) {
  const failures: string[] = [];
  const compare = (what: string, actual: unknown, expected: unknown) => {
    if (!isDeepStrictEqual(actual ?? undefined, expected ?? undefined))
      failures.push(
        `${what}: ${JSON.stringify(actual)?.slice(0, 400)}, expected ${JSON.stringify(expected)?.slice(0, 400)}`,
      );
  };
  compare('ended', ended, expect.ended);
  compare('error kind', error?.kinds[0], expect.error?.kind);
  if (expect.also && !error?.kinds.includes(expect.also)) failures.push(`the error kinds don't include ${expect.also}`);
  for (const [name, expected] of Object.entries(expect.error ?? {}))
    if (name !== 'kind') compare(name, error?.[name as keyof typeof error], expected);
  if (expect.error && expect.error.status === undefined) compare('status', error?.status, undefined);
  if (expect.result === 'pdf') compare('file', result, PDF.toString());
  else if (expect.result) compare('result', result, expect.result);
  if (expect.echo) {
    const { results, list } = (result ?? {}) as { results?: { code: string }[]; list?: { sources: object } };
    const codes = args.codes as string[];
    compare('codes', results?.map(each => each.code).join(), codes.join());
    compare('sources', Object.keys(list?.sources ?? {}).length, Math.ceil(codes.length / 1000));
  }
  if (expect.ids) {
    const items = (result ?? []) as { gcc_id?: string; seq?: number }[];
    compare(
      'items',
      items.map(({ gcc_id, seq }) => gcc_id || seq),
      expect.ids,
    );
  }
  if (expect.response) compare('response', filled(response), expect.response);
  if (expect.events) {
    compare('number of hook calls', events.length, expect.events.length);
    for (const [i, expected] of expect.events.entries())
      for (const [name, value] of Object.entries<unknown>({ error: undefined, ...expected }))
        compare(
          `${name} of hook call ${i}`,
          events[i]?.[name],
          typeof value === 'string' ? value.replace('{base}', base) : value,
        );
  }
  for (const event of events) {
    if (event.printed.includes(KEY.slice(-20)) || /sig=|search=/.test(event.printed))
      failures.push(`a hook call contains a secret: ${event.printed}`);
  }
  if (expect.rateLimit) compare('rate limit', rateLimit, expect.rateLimit);
  if (expect.seconds && (seconds < expect.seconds[0] || seconds > expect.seconds[1]))
    failures.push(`the call took ${seconds} s, expected ${expect.seconds.join(' to ')}`);
  if (printed.includes(KEY.slice(-20))) failures.push(`the output contains the API key: ${printed}`);
  return failures;
}

/** Returns an object without its undefined and null fields. */
const filled = (value: unknown) => JSON.parse(JSON.stringify(value ?? {}), (_, each) => each ?? undefined);

const { operations, schemas } = readOperations();
const METHODS = new Map<string, Method>(
  allGroups(methodTree(operations, namedTypes(operations, schemas))).flatMap(group =>
    group.methods.map(method => [method.operation.id, method] as const),
  ),
);

/** Checks a case's requests, including the requirements that all cases share, and returns the failures. */
function requestFailures(
  { call, args, expect, times = 1, client }: Case,
  received: readonly Received[],
  agent: string,
) {
  const failures: string[] = [];
  const check = (what: string, passes: boolean, actual: unknown) =>
    passes || failures.push(`${what}: ${JSON.stringify(actual)}`);
  const count = expect.requests ?? times;
  // On a busy machine, a call might end before its request arrives. Check only that the client doesn't retry the call.
  const early = expect.ended === 'cancelled' || expect.error?.kind === 'timeout';
  check(`${count} requests`, early ? received.length <= count : received.length === count, received.length);
  const operation = METHODS.get(call.replace(/_all$/, ''))?.operation;
  for (const [i, { method, path, headers, body }] of received.entries()) {
    if (call === 'download') {
      check('a download request must not contain the API key', !JSON.stringify(headers).includes(KEY), headers);
      continue;
    }
    const { pathname, searchParams } = new URL(path, 'http://service.test');
    check('method', method.toLowerCase() === operation?.method, method);
    check('path', pathname === pathOf(operation?.path, args), path);
    check('key', headers.authorization === `Bearer ${client?.key ?? KEY}`, headers.authorization);
    check('user agent', headers['user-agent'] === `compliance-${agent}/0.1.0`, headers['user-agent']);
    if (method === 'GET') {
      const query = { ...queryOf(operation?.path, args), ...expect.pages?.[i] };
      check('query', isDeepStrictEqual(Object.fromEntries(searchParams), query), path);
      check('a read-only request must not have a body', body === '' && !('content-type' in headers), body);
      check('a read-only request must not have an idempotency key', !('idempotency-key' in headers), headers);
      continue;
    }
    check('a write request must not have a query string', searchParams.size === 0, path);
    check('content type', headers['content-type'] === 'application/json', headers['content-type']);
    check('idempotency key', /^[\x21-\x7e]{8,}$/.test(headers['idempotency-key'] ?? ''), headers['idempotency-key']);
    if (!Array.isArray(args.codes) || args.codes.length < 1000)
      check(
        'body',
        isDeepStrictEqual(
          JSON.parse(body),
          queryOf(operation?.path, args, value => value),
        ),
        body,
      );
  }
  if (expect.asOf) {
    const dates = received.map(({ body }) => JSON.parse(body).as_of ?? null);
    check('as_of value in each request', isDeepStrictEqual(dates, expect.asOf), dates);
  }
  for (const [name, expected] of Object.entries(expect.headers ?? {}))
    check(name, received[0]?.headers[name] === expected, received[0]?.headers[name]);
  const keys = new Map(received.map(({ headers, body }) => [headers['idempotency-key'], body]));
  if (operation?.method === 'post') {
    const calls = times > 1 ? times : new Set(received.map(({ body }) => body)).size;
    check('each call must have exactly one idempotency key', keys.size === calls, [...keys.keys()]);
  }
  expect.waits?.forEach(([min, max], i) => {
    const seconds = (received[i + 1]?.at ?? Number.NaN) - (received[i]?.at ?? 0);
    check(`wait ${i + 1} must last ${min} to ${max} s`, seconds >= min && seconds <= max, seconds);
  });
  return failures;
}

function pathOf(path = '', args: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(args[name])));
}

/** Returns the arguments that aren't in the path. */
function queryOf(path = '', args: Record<string, unknown>, convert: (value: unknown) => unknown = String) {
  const query = Object.entries(args).filter(([name]) => !path.includes(`{${name}}`));
  return Object.fromEntries(query.map(([name, value]) => [name, convert(value)]));
}
