import { isDeepStrictEqual } from 'node:util';
import { readOperations } from '../models/document.ts';
import { type Case, KEY, PDF } from './case.ts';
import type { Runtime } from './runtimes.ts';
import type { Received, startPlayServer } from './server.ts';

/** What a driver tells of one case. The same in each language. */
export interface Outcome {
  result?: unknown;
  error?: { kinds: string[]; status?: number | null; code?: string | null; requestId?: string | null };
  ended?: 'cancelled' | 'refused';
  rateLimit?: unknown;
  seconds?: number;
  /** Error, client and all that hangs on it, printed in every way that the language has. */
  printed?: string;
}

/** Lets a client play the cases, and gives for each what was wrong: nothing, when the client does what it must. */
export async function play(
  runtime: Runtime,
  cases: readonly Case[],
  server: Awaited<ReturnType<typeof startPlayServer>>,
): Promise<Map<string, string[]>> {
  const staged = server.stage(cases);
  const plan = cases.map((each, i) => ({ key: KEY, ...forDriver(each, staged[i]!.base) }));
  const outcomes = (await runtime.run({ play: plan })) as Record<string, Outcome[]>;
  return new Map(
    cases.map((each, i) => {
      const told = outcomes[each.id] ?? [];
      const faults = told.length === (each.times ?? 1) ? [] : [`${told.length} outcomes`];
      for (const outcome of told) faults.push(...faultsOf(each, outcome));
      return [each.id, [...new Set([...faults, ...requestFaults(each, staged[i]!.received, runtime.agent)])]];
    }),
  );
}

/** A case as a driver gets it. */
function forDriver({ id, call, args, client, options, times = 1 }: Case, base: string) {
  return JSON.parse(JSON.stringify({ id, call, args, baseURL: base, ...client, options, times }), (_, value) =>
    typeof value === 'string' ? value.replaceAll('{base}', base) : value,
  );
}

function faultsOf({ args, expect }: Case, { result, error, ended, rateLimit, seconds = 0, printed = '' }: Outcome) {
  const faults: string[] = [];
  const must = (what: string, got: unknown, wanted: unknown) => {
    if (!isDeepStrictEqual(got ?? undefined, wanted ?? undefined))
      faults.push(`${what}: ${JSON.stringify(got)?.slice(0, 400)}, must be ${JSON.stringify(wanted)?.slice(0, 400)}`);
  };
  must('ended', ended, expect.ended);
  must('kind of error', error?.kinds[0], expect.error?.kind);
  if (expect.also && !error?.kinds.includes(expect.also)) faults.push(`is not also ${expect.also}`);
  for (const [name, wanted] of Object.entries(expect.error ?? {}))
    if (name !== 'kind') must(name, error?.[name as keyof typeof error], wanted);
  if (expect.error && expect.error.status === undefined) must('status', error?.status, undefined);
  if (expect.result === 'pdf') must('file', result, PDF.toString());
  else if (expect.result) must('result', result, expect.result);
  if (expect.echo) {
    const { results, list } = (result ?? {}) as { results?: { code: string }[]; list?: { sources: object } };
    const codes = args.codes as string[];
    must('codes', results?.map(each => each.code).join(), codes.join());
    must('sources', Object.keys(list?.sources ?? {}).length, Math.ceil(codes.length / 1000));
  }
  if (expect.rateLimit) must('rate limit', rateLimit, expect.rateLimit);
  if (expect.seconds && (seconds < expect.seconds[0] || seconds > expect.seconds[1]))
    faults.push(`took ${seconds} s, must be ${expect.seconds.join(' to ')}`);
  if (printed.includes(KEY.slice(-20))) faults.push(`shows the key: ${printed}`);
  return faults;
}

const METHODS = new Map(readOperations().operations.map(({ id, method, path }) => [id, { method, path }]));

/** What every request must be, whatever the case. */
function requestFaults({ call, args, expect, times = 1, client }: Case, received: readonly Received[], agent: string) {
  const faults: string[] = [];
  const must = (what: string, holds: boolean, got: unknown) => holds || faults.push(`${what}: ${JSON.stringify(got)}`);
  const count = expect.requests ?? times;
  // On a busy machine a call may be ended before its request arrives; what counts is that it is not tried again.
  const early = expect.ended === 'cancelled' || expect.error?.kind === 'timeout';
  must(`${count} requests`, early ? received.length <= count : received.length === count, received.length);
  const operation = METHODS.get(call);
  for (const { method, path, headers, body } of received) {
    if (call === 'download') {
      must('no key to the file', !JSON.stringify(headers).includes(KEY), headers);
      continue;
    }
    const { pathname, searchParams } = new URL(path, 'http://service.test');
    must('method', method.toLowerCase() === operation?.method, method);
    must('path', pathname === operation?.path, path);
    must('key', headers.authorization === `Bearer ${client?.key ?? KEY}`, headers.authorization);
    must('user agent', headers['user-agent'] === `compliance-${agent}/0.1.0`, headers['user-agent']);
    if (method === 'GET') {
      must('query', isDeepStrictEqual(Object.fromEntries(searchParams), args), path);
      must('nothing but a query', body === '' && !('content-type' in headers), body);
      must('no idempotency key', !('idempotency-key' in headers), headers);
      continue;
    }
    must('no query', searchParams.size === 0, path);
    must('content type', headers['content-type'] === 'application/json', headers['content-type']);
    must('idempotency key', /^[\x21-\x7e]{8,}$/.test(headers['idempotency-key'] ?? ''), headers['idempotency-key']);
    if (!Array.isArray(args.codes) || args.codes.length < 1000)
      must('body', isDeepStrictEqual(JSON.parse(body), args), body);
  }
  if (expect.asOf) {
    const dates = received.map(({ body }) => JSON.parse(body).as_of ?? null);
    must('date of each request', isDeepStrictEqual(dates, expect.asOf), dates);
  }
  for (const [name, wanted] of Object.entries(expect.headers ?? {}))
    must(name, received[0]?.headers[name] === wanted, received[0]?.headers[name]);
  const keys = new Map(received.map(({ headers, body }) => [headers['idempotency-key'], body]));
  if (operation?.method === 'post') {
    const calls = times > 1 ? times : new Set(received.map(({ body }) => body)).size;
    must('one idempotency key for each call', keys.size === calls, [...keys.keys()]);
  }
  expect.waits?.forEach(([least, most], i) => {
    const waited = (received[i + 1]?.at ?? Number.NaN) - (received[i]?.at ?? 0);
    must(`wait ${i + 1} of ${least} to ${most} s`, waited >= least && waited <= most, waited);
  });
  return faults;
}
