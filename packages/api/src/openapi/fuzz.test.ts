import { describe, expect, it } from 'vitest';
import { failuresIn } from '../../scripts/fuzz/report.ts';
import { entriesFor, parseReviewed, REVIEWED } from '../../scripts/fuzz/reviewed.ts';
import { OPERATIONS } from '../operations/operations.gen.ts';
import { V0_OPERATIONS } from '../v0/operations/operations.gen.ts';

/** Returns a Schemathesis report line with a failed check. */
function reportLine(response: object, { check = 'positive_data_acceptance', status = 400 } = {}): string {
  const content = { $base64: Buffer.from(JSON.stringify(response)).toString('base64') };
  const failure = { operation: 'POST /api/v1/entry/gcc/generate', message: 'Valid data should have been accepted' };
  const recorder = {
    checks: {
      a: [
        { name: 'not_a_server_error', status: 'success' },
        { name: check, status: 'failure', failure_info: { failure } },
      ],
    },
    interactions: {
      a: { request: { method: 'POST', uri: '/' }, response: { status_code: status, content } },
    },
  };
  return JSON.stringify({ ScenarioFinished: { recorder } });
}

const issue = (path: string, code: string) => ({ path, code, message: '' });
const isReviewed = (line: string) => failuresIn(line).failures.every(each => entriesFor(each, REVIEWED) !== null);

describe('the Schemathesis report check', () => {
  const known = issue('tests.3.rule', 'INVALID_FORMAT');

  it('accepts a failure only if every issue in the response was reviewed for the same check and status', () => {
    expect(isReviewed(reportLine({ error: 'invalid_request', issues: [known] }))).toBe(true);
    const phone = issue('certifier.phone', 'INVALID_FORMAT');
    expect(isReviewed(reportLine({ error: 'invalid_request', issues: [known, phone] }))).toBe(false);
    expect(isReviewed(reportLine({ error: 'invalid_request', issues: [known] }, { status: 500 }))).toBe(false);
    const other = { check: 'status_code_conformance' };
    expect(isReviewed(reportLine({ error: 'invalid_request', issues: [known] }, other))).toBe(false);
    expect(isReviewed(reportLine({ error: 'invalid_request', issues: [] }))).toBe(false);
    expect(isReviewed(reportLine({ error: 'internal' }))).toBe(false);
  });

  it('counts a Schemathesis error as a failure', () => {
    expect(isReviewed(JSON.stringify({ NonFatalError: { value: 'unsatisfiable schema' } }))).toBe(false);
  });

  it('requires existing operations, a reason, and a date for each reviewed failure', () => {
    const operations = [...OPERATIONS, ...V0_OPERATIONS].map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(operations).toEqual(expect.arrayContaining(REVIEWED.flatMap(each => each.operations)));
    const entry = '- { operations: [GET /api/v0/scan], check: not_a_server_error, status: 500, details: [internal] }';
    expect(() => parseReviewed(entry)).toThrow(/reason/);
  });
});
