import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';

/** A failed check in a Schemathesis report, with the facts used to match it with a reviewed failure. */
export interface CheckFailure {
  /** The method and path, such as `POST /api/v1/pixel/scan`. */
  operation: string;
  check: string;
  status: number | null;
  /**
   * Facts from the response: the path and code of each issue, such as `tests.*.rule INVALID_FORMAT`, or the error and
   * its reason, such as `scan_failed tls`.
   */
  details: string[];
  message: string;
  request: string;
  response: string;
}

const bytes = z.union([z.string(), z.object({ $base64: z.string() })]).nullish();

const scenario = z.object({
  recorder: z.object({
    checks: z
      .record(
        z.string(),
        z.array(
          z.object({
            name: z.string(),
            status: z.string(),
            failure_info: z.object({ failure: z.object({ operation: z.string(), message: z.string() }) }).optional(),
          }),
        ),
      )
      .default({}),
    interactions: z
      .record(
        z.string(),
        z.object({
          request: z.object({ method: z.string(), uri: z.string(), body: bytes }),
          response: z.object({ status_code: z.int(), content: bytes }).nullish(),
        }),
      )
      .default({}),
  }),
});

/** Response body fields that explain the result. */
const body = z.object({
  error: z.string().optional(),
  reason: z.string().optional(),
  issues: z.array(z.object({ path: z.string(), code: z.string() })).optional(),
  results: z.array(z.object({ error: z.object({}).loose().optional() }).loose()).optional(),
});

function textOf(content: z.output<typeof bytes>): string {
  if (content === null || content === undefined) return '';
  return typeof content === 'string' ? content : Buffer.from(content.$base64, 'base64').toString();
}

function detailsOf(text: string): string[] {
  if (text === '') return ['empty'];
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return ['not JSON'];
  }
  const { data } = body.safeParse(json);
  if (!data) return ['unknown body'];
  const { error, reason, issues, results = [] } = data;
  if (issues) return issues.map(({ path, code }) => `${path.replaceAll(/\b\d+\b/g, '*')} ${code}`);
  if (error !== undefined) return [reason === undefined ? error : `${error} ${reason}`];
  return [results.some(result => result.error) ? 'error in results' : 'success'];
}

/**
 * Parses one line of a Schemathesis report, and returns its failed checks and the number of test cases. An error, such
 * as a schema that Schemathesis can't read, counts as a failure of the `schemathesis` check.
 *
 * @throws ZodError if the report has an unexpected format
 */
export function failuresIn(line: string): { cases: number; failures: CheckFailure[] } {
  const event = JSON.parse(line) as Record<string, unknown>;
  const errors = ['NonFatalError', 'FatalError'].flatMap((name): CheckFailure[] => {
    const text = JSON.stringify(event[name]);
    if (event[name] === undefined) return [];
    return [
      { operation: '', check: 'schemathesis', status: null, details: [name], message: text, request: '', response: '' },
    ];
  });
  if (!event.ScenarioFinished) return { cases: 0, failures: errors };
  const { checks, interactions } = scenario.parse(event.ScenarioFinished).recorder;
  const failures = Object.entries(checks).flatMap(([id, list]) =>
    list.flatMap(({ name, status, failure_info }): CheckFailure[] => {
      if (status === 'success' || status === 'skip') return [];
      const { request, response } = interactions[id] ?? {};
      const text = textOf(response?.content);
      return [
        {
          operation: failure_info?.failure.operation ?? '',
          check: name,
          status: response?.status_code ?? null,
          details: detailsOf(text),
          message: failure_info?.failure.message ?? status,
          request: request ? `${request.method} ${request.uri} ${textOf(request.body)}` : '',
          response: text,
        },
      ];
    }),
  );
  return { cases: Object.keys(interactions).length, failures };
}

/** Reads a Schemathesis report, and returns all failed checks and the total number of test cases. */
export async function readReport(path: string): Promise<{ cases: number; failures: CheckFailure[] }> {
  let cases = 0;
  const failures: CheckFailure[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const read = failuresIn(line);
    cases += read.cases;
    failures.push(...read.failures);
  }
  return { cases, failures };
}
