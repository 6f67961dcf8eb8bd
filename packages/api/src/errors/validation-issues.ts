import { ISSUE_CODES as CERTIFICATE_CODES } from '@compliance/core/entry';
import type { z } from 'zod';
import type { Issue } from './api-error.ts';

/** Stable issue codes: the certificate codes, and `INVALID_VALUE` for other values that aren't allowed. */
export const API_ISSUE_CODES = [...CERTIFICATE_CODES, 'INVALID_VALUE'] as const;

/**
 * Converts Zod issues to API issues, each with a dotted path, such as `codes.3`, and a stable code. The input must be
 * parsed with Zod's `reportInput` option.
 */
export function toApiIssues(error: z.ZodError): Issue[] {
  return error.issues.flatMap(issue => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(key => ({
        path: dotted([...issue.path, key]),
        code: 'UNKNOWN_FIELD',
        message: 'Unknown field. Remove the field or check its spelling.',
      }));
    }
    const code = codeOf(issue);
    const message = code === 'REQUIRED' ? 'This field is required.' : issue.message;
    return [{ path: dotted(issue.path), code, message }];
  });
}

function codeOf(issue: z.core.$ZodIssue): (typeof API_ISSUE_CODES)[number] {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'REQUIRED' : 'INVALID_TYPE';
    case 'too_small':
      return issue.origin === 'number' ? 'INVALID_VALUE' : 'TOO_FEW';
    case 'too_big':
      if (issue.origin === 'number') return 'INVALID_VALUE';
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
