import { describe, expect, it } from 'vitest';
import { SAMPLE_REQUEST } from '../request/sample.ts';
import { templateIssues } from './template.ts';

const issuesOf = (template: unknown, kind: 'GCC' | 'CPC' = 'GCC') =>
  templateIssues(template, '2026-11-27', kind).map(({ path, code }) => [path, code]);

describe('templateIssues', () => {
  it('accepts a template with all, some, or none of the request fields', () => {
    expect(issuesOf(SAMPLE_REQUEST)).toEqual([]);
    expect(issuesOf({})).toEqual([]);
    expect(issuesOf({ manufacturer: { name: 'Oak' }, tests: [{}], cpsc_rules_cited: [] })).toEqual([]);
  });

  it('reports problems that affect every row: unknown fields, invalid values, and the wrong kind of certificate', () => {
    expect(issuesOf({ manufcturer: {}, manufacturer: { contact_email: 'x' } })).toEqual([
      ['manufacturer.contact_email', 'INVALID_EMAIL'],
      ['manufcturer', 'UNKNOWN_FIELD'],
    ]);
    expect(issuesOf('x')).toEqual([['', 'INVALID_TYPE']]);
    expect(issuesOf({ certificate_type: 'GCC' }, 'CPC')).toEqual([['certificate_type', 'INVALID_FORMAT']]);
    expect(issuesOf({}, 'CPC')).toEqual([]);
  });
});
