import { globSync, readFileSync } from 'node:fs';
import { readOperations } from '../codegen/document.ts';
import { allGroups, methodTree } from '../codegen/methods.ts';
import { namedTypes } from '../codegen/types.ts';
import { sampleResponse } from './sample-response.ts';

/** Server response to one request. */
export interface ServerResponse {
  status?: number;
  headers?: Record<string, string>;
  /** Body, as JSON or as text. `{base}` is replaced with the case URL. */
  json?: unknown;
  text?: string;
  /** Whether the body is the PDF that `downloadCertificate` expects. */
  pdf?: boolean;
  /** Whether the body has one result for each code in the request. */
  echo?: boolean;
  /** Size in bytes of a padding field that is added to `json`. */
  pad?: number;
  /** Delay before the response, in seconds. */
  delay?: number;
  /**
   * When the server closes the connection: before the response, partway through its body, or, without notice, after
   * the response.
   */
  cut?: 'before' | 'within' | 'after';
  /** How the server stalls: it doesn't respond, sends the head or body one byte at a time, or never ends the body. */
  never?: 'answer' | 'head' | 'body' | 'end';
}

/** Expected outcome of a call. Times are in seconds. */
interface Expectation {
  result?: unknown;
  /** Whether the results must be for the requested codes, in the same order. */
  echo?: boolean;
  error?: {
    kind: string;
    status?: number;
    code?: string;
    requestId?: string;
    issues?: unknown;
    retryAfter?: number;
    partial?: number;
    reason?: string;
    rateLimit?: unknown;
  };
  /** Additional error kind that the error must match. */
  also?: string;
  /**
   * Outcome of a call that returns neither a result nor a service error, because the caller canceled the call or passed
   * an invalid argument.
   */
  ended?: 'cancelled' | 'rejected';
  requests?: number;
  /** Value of `as_of` in each request, in order. */
  asOf?: (string | null)[];
  /** Expected headers of the first request. */
  headers?: Record<string, string>;
  /** Minimum and maximum time between consecutive requests. */
  waits?: [number, number][];
  seconds?: [number, number];
  rateLimit?: unknown;
  /** Status, request ID, and rate limits of the response that the result comes from. */
  response?: unknown;
  /** Hook calls, in order. The test checks only the listed fields and whether there's an error. */
  events?: Record<string, unknown>[];
  /** IDs of the items that an iteration over all pages yields. */
  ids?: unknown[];
  /** Query parameters of each page's request, in addition to the call's arguments. */
  pages?: Record<string, string>[];
}

/** Test case that all clients must pass. */
export interface Case {
  id: string;
  /** Operation ID (with the suffix `_all` to iterate over all pages), or `download`. */
  call: string;
  args: Record<string, unknown>;
  /**
   * Client options that differ from the defaults: `timeout` and `deadline` in seconds, `baseURL`, `allowHttp`, `key`,
   * `maxRetries`, and `hooks`, which records the hook calls.
   */
  client?: Options;
  /** Call options. `cancelAfter` is the number of seconds to wait before canceling the call. */
  options?: Options & { cancelAfter?: number };
  /** Number of concurrent calls with one client. */
  times?: number;
  /** Whether an argument has a wrong type that a statically typed language rejects at compile time. */
  isWrongType?: boolean;
  /** Whether the server uses TLS. */
  tls?: boolean;
  /** Responses to the requests, in order. The last response is repeated for any further requests. */
  answers?: ServerResponse[];
  expect: Expectation;
}

interface Options {
  timeout?: number;
  deadline?: number;
  maxRetries?: number;
  idempotencyKey?: string;
  baseURL?: string;
  allowHttp?: boolean;
  key?: string;
  hooks?: boolean;
}

/** API key passed to the drivers. The key must never appear in a driver's output. */
export const KEY = 'cmpl_live_all_q7Xw2Lr9Tn4Vb8Kc3Hd6Zf1Gm5Js0PyRtUeWa';

/** Response body if `pdf` is true. */
export const PDF = Buffer.from('%PDF-1.7\nvectors\n%%EOF\n');

/**
 * Returns all test cases: the cases in `cases/`, a case for each operation (based on the operation's example and
 * response schema), and a case for each list field of a request. Replaces two placeholders in the case files:
 * `{codes:2500}` with 2,500 different codes, and `{key}` with the API key.
 */
export function readCases(): Case[] {
  const folder = new URL('../../cases/', import.meta.url);
  const files = globSync('*.json', { cwd: folder.pathname }).sort();
  return [
    ...exampleCases(),
    ...wrongTypeCases(),
    ...files.flatMap(file => JSON.parse(readFileSync(new URL(file, folder), 'utf8'), revive) as Case[]),
  ];
}

function exampleCases(): Case[] {
  const { operations, schemas } = readOperations();
  return operations.map(({ id, examples, response }): Case => {
    const json = sampleResponse(response, schemas);
    return { id: `example-of-${id}`, call: id, args: examples[0] ?? {}, answers: [{ json }], expect: { result: json } };
  });
}

/** Returns a case for each list field of a request. In each case, the caller passes a string instead of the list. */
function wrongTypeCases(): Case[] {
  const { operations, schemas } = readOperations();
  const methods = allGroups(methodTree(operations, namedTypes(operations, schemas))).flatMap(group => group.methods);
  return methods.flatMap(({ operation: { id, examples }, lists }) =>
    lists.map((name): Case => {
      const args = { ...examples[0], [name]: '7318.15.2061' };
      return {
        id: `${id}-with-text-as-${name}`,
        call: id,
        args,
        isWrongType: true,
        expect: { ended: 'rejected', requests: 0 },
      };
    }),
  );
}

function revive(_: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const count = /^\{codes:(\d+)\}$/.exec(value)?.[1];
  return count ? Array.from({ length: Number(count) }, (_, i) => `${1000000000 + i}`) : value.replace('{key}', KEY);
}
