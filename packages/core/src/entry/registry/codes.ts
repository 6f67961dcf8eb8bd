import * as z from 'zod';
import { resolveCitation } from '../citations/resolve.ts';

const CodeList = z.strictObject({
  as_of: z.iso.date(),
  source: z.string().min(1).max(500),
  codes: z.record(z.string().min(1).max(250), z.string().min(1).max(50)),
});

/** eFiling citation codes by rule, which you supply with their date and source. */
export type CodeList = z.output<typeof CodeList>;

/**
 * Parses a list of eFiling citation codes. The package doesn't include codes, because we couldn't read CPSC's list.
 *
 * @throws RangeError if the list isn't valid, with the path and the description of the first problem
 * @example parseCodeList({ as_of: '2026-11-20', source: 'CPSC', codes: { '16 CFR 1203': '1203' } }).codes['16 CFR 1203'] // '1203'
 */
export function parseCodeList(value: unknown): CodeList {
  const { data, error } = CodeList.safeParse(value);
  if (data) return data;
  const [{ path, message }] = error.issues as [z.core.$ZodIssue];
  throw new RangeError(path.length === 0 ? message : `${path.join('.')}: ${message}`);
}

/**
 * Returns the code for a citation, or null. Citations are compared by rule, so the code for `16 CFR 1203` also applies to
 * `§ 1203`.
 */
export function codeOf(citation: string, { codes }: CodeList): string | null {
  const { rule } = resolveCitation(citation);
  const found = Object.entries(codes).find(
    ([name]) => name === citation || (rule !== null && resolveCitation(name).rule === rule),
  );
  return found?.[1] ?? null;
}

/** Returns the citation for a code, or null. */
export function citationOf(code: string, { codes }: CodeList): string | null {
  return Object.entries(codes).find(([, each]) => each === code)?.[0] ?? null;
}
