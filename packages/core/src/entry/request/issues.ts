import type * as z from 'zod';

/**
 * Issue codes, one for each reason that a request can be rejected for. The list is exhaustive, so clients can handle
 * every code.
 */
export const ISSUE_CODES = [
  'REQUIRED',
  'INVALID_TYPE',
  'INVALID_FORMAT',
  'INVALID_DATE',
  'DATE_IN_FUTURE',
  'TOO_FEW',
  'TOO_MANY',
  'TOO_LONG',
  'INVALID_CHARACTER',
  'INVALID_EMAIL',
  'INVALID_IMAGE',
  'UNKNOWN_FIELD',
  'NOT_A_CHILDRENS_PRODUCT',
] as const;

/** One of {@link ISSUE_CODES}. */
export type IssueCode = (typeof ISSUE_CODES)[number];

/**
 * A validation error in a request. `path` is the dotted field path, such as `cpsc_rules_cited.1`, or an empty string
 * for the entire request. The message never repeats the submitted value.
 */
export interface Issue {
  path: string;
  code: IssueCode;
  message: string;
}

/**
 * Error thrown if a certificate can't be created because values are missing or malformed. A missing element that
 * `completeness` reports never causes an `InvalidRequest` error.
 *
 * @example try { certificate({}, context) } catch (error) { (error as InvalidRequest).issues[0]?.path } // 'product_info'
 */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    super(`The certificate request has ${issues.length} invalid field${issues.length === 1 ? '' : 's'}`);
    this.issues = issues;
  }

  /**
   * Returns a copy of this error for a larger request in which `field` contains the certificate request.
   *
   * @example new InvalidRequest([{ path: 'manufacturer', … }]).within('certificate').issues[0]?.path // 'certificate.manufacturer'
   */
  within(field: string): InvalidRequest {
    return new InvalidRequest(
      this.issues.map(({ path, ...issue }) => ({ path: path ? `${field}.${path}` : field, ...issue })),
    );
  }
}

/** Converts zod issues for `input` into issues with our codes. Returns one issue per field, in field order. */
export function toIssues(error: z.ZodError, input: unknown): Issue[] {
  const issues = error.issues.flatMap((issue): Issue[] => {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(key => ({
        path: [...path, key].join('.'),
        code: 'UNKNOWN_FIELD',
        message: 'is not a known field',
      }));
    }
    return [{ path: path.join('.'), ...describe(issue, valueAt(input, issue.path)) }];
  });
  return issues.filter(({ path }, at) => issues.findIndex(issue => issue.path === path) === at);
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function describe(issue: z.core.$ZodIssue, value: unknown): { code: IssueCode; message: string } {
  if (value === undefined && issue.code !== 'custom') return { code: 'REQUIRED', message: 'is required' };
  switch (issue.code) {
    case 'invalid_type':
      return { code: 'INVALID_TYPE', message: `must be ${article(issue.expected)}` };
    case 'too_small':
      if (issue.origin !== 'array') return { code: 'INVALID_FORMAT', message: `must be at least ${issue.minimum}` };
      return { code: 'TOO_FEW', message: `must have ${issue.minimum} or more entries` };
    case 'too_big':
      return { code: 'TOO_MANY', message: `must have at most ${issue.maximum} entries` };
    case 'invalid_value':
      return typeof value === 'string'
        ? { code: 'INVALID_FORMAT', message: `must be one of: ${issue.values.join(', ')}` }
        : { code: 'INVALID_TYPE', message: 'must be a string' };
    case 'custom':
      return { code: (issue.params?.code as IssueCode | undefined) ?? 'INVALID_FORMAT', message: issue.message };
    default:
      return { code: 'INVALID_FORMAT', message: 'is malformed' };
  }
}

const article = (type: string) =>
  type === 'int' ? 'a whole number' : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
