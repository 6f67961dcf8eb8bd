import { globSync, readFileSync } from 'node:fs';

/** What the server does with one request. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  /** The body, as JSON or as it stands. `{base}` is the address of the case. */
  json?: unknown;
  text?: string;
  /** The PDF that `downloadCertificate` expects. */
  pdf?: boolean;
  /** One result for each code of the request. */
  echo?: boolean;
  /** A field of so many bytes is added to `json`. */
  pad?: number;
  /** Seconds before the answer. */
  delay?: number;
  /** The connection is cut: before the answer, or within its body. */
  cut?: 'before' | 'within';
  /** Nothing comes; or head and body come a byte at a time; or the body does not end. */
  never?: 'answer' | 'head' | 'body' | 'end';
}

/** What a call must come to. Times are seconds. */
interface Expectation {
  result?: unknown;
  /** The results have the codes of the request, in order. */
  echo?: boolean;
  error?: { kind: string; status?: number; code?: string; requestId?: string; issues?: unknown; retryAfter?: number };
  /** The error also counts as this kind. */
  also?: string;
  /** Neither a result nor an error of the service: the caller ended the call, or the client was set up wrongly. */
  ended?: 'cancelled' | 'refused';
  requests?: number;
  /** The `as_of` of each request, in order. */
  asOf?: (string | null)[];
  /** Of the first request. */
  headers?: Record<string, string>;
  /** Least and most between each request and the next. */
  waits?: [number, number][];
  seconds?: [number, number];
  rateLimit?: unknown;
}

/** One case of the vectors, the same for all clients. */
export interface Case {
  id: string;
  call: 'tariff.hts.lookup' | 'tariff.lists' | 'tariff.changes' | 'pixel.scan' | 'entry.gcc.generate' | 'download';
  args: Record<string, unknown>;
  /** How the client is set up where it differs: `timeout` in seconds, `baseURL`, `key`, `maxRetries`. */
  client?: Setting;
  /** The same for the one call. `cancelAfter` seconds it is cancelled. */
  options?: Setting & { cancelAfter?: number };
  /** How many of the call run at once, in one client. */
  times?: number;
  /** Over TLS. */
  tls?: boolean;
  /** What the server does with the first request, the second, … and all that follow. */
  answers?: Answer[];
  expect: Expectation;
}

interface Setting {
  timeout?: number;
  maxRetries?: number;
  idempotencyKey?: string;
  baseURL?: string;
  key?: string;
}

/** The key that the drivers are given. It must not come out of them again. */
export const KEY = 'cmpl_live_all_q7Xw2Lr9Tn4Vb8Kc3Hd6Zf1Gm5Js0PyRtUeWa';

/** What the server sends for `pdf`. */
export const PDF = Buffer.from('%PDF-1.7\nvectors\n%%EOF\n');

/** Every case of `cases/`. `{codes:2500}` stands for so many different codes, `{key}` for the key. */
export function readCases(): Case[] {
  const folder = new URL('../../cases/', import.meta.url);
  return globSync('*.json', { cwd: folder.pathname })
    .sort()
    .flatMap(file => JSON.parse(readFileSync(new URL(file, folder), 'utf8'), revive) as Case[]);
}

function revive(_: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const count = /^\{codes:(\d+)\}$/.exec(value)?.[1];
  return count ? Array.from({ length: Number(count) }, (_, i) => `${1000000000 + i}`) : value.replace('{key}', KEY);
}
