import { ISSUE_CODES as CERTIFICATE_CODES } from '@compliance/core/entry';
import type { z } from 'zod';
import type { Issue } from './errors.ts';

/** The stable codes of issues: those of certificates, and one more for values out of a list. */
export const ISSUE_CODES = [...CERTIFICATE_CODES, 'INVALID_VALUE'] as const;

/** The faults that a schema found (with `reportInput`), each with the dotted path of the field (`codes.3`) and a stable code. */
export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(key => ({
        path: dotted([...issue.path, key]),
        code: 'UNKNOWN_FIELD',
        message: 'This field is not known. Remove it, or check its spelling.',
      }));
    }
    const code = codeOf(issue);
    const message = code === 'REQUIRED' ? 'This field is required.' : issue.message;
    return [{ path: dotted(issue.path), code, message }];
  });
}

function codeOf(issue: z.core.$ZodIssue): (typeof ISSUE_CODES)[number] {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'REQUIRED' : 'INVALID_TYPE';
    case 'too_small':
      return 'TOO_FEW';
    case 'too_big':
      return issue.origin === 'string' ? 'TOO_LONG' : 'TOO_MANY';
    case 'invalid_format':
      return 'INVALID_FORMAT';
    case 'custom':
      return issue.params?.code ?? 'INVALID_VALUE';
    default:
      return 'INVALID_VALUE';
  }
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}
