import * as z from 'zod';
import type { IssueCode } from './issues.ts';

/** Marks a refusal with one of our codes; `issues.ts` reads it back. */
export const refuse = (code: IssueCode, message: string) => ({ message, params: { code } });

// Controls, line separators, explicit direction overrides (they can make a text read as another), lone surrogates and
// the code points Unicode keeps out of interchange.
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]/u;

/**
 * A text a person typed: trimmed, Unicode NFC, at most `limit` characters (code points), not empty, no control characters
 * and no direction overrides.
 */
export const text = (limit: number) =>
  z
    .string()
    .overwrite(value => value.normalize('NFC').trim())
    .superRefine((value, context) => {
      const issue = (code: IssueCode, message: string) =>
        context.addIssue({ code: 'custom', ...refuse(code, message) });
      if (value === '') issue('REQUIRED', 'must not be empty');
      else if ([...value].length > limit) issue('TOO_LONG', `must have at most ${limit} characters`);
      else if (FORBIDDEN.test(value))
        issue('INVALID_CHARACTER', 'must not hold control characters or direction overrides');
    })
    .meta({ minLength: 1, maxLength: limit });
