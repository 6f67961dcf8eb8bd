import * as z from 'zod';
import type { CatalogRule } from '../citations/catalog.ts';
import { resolveCitation } from '../citations/resolve.ts';

/** Schema for a list of eFiling citation codes. */
export const CodeListSchema = z.strictObject({
  as_of: z.iso.date(),
  source: z.string().min(1).max(500),
  codes: z
    .record(z.string().min(1).max(250), z.string().min(1).max(50))
    .meta({ examples: [{ '16 CFR 1203': 'T1203' }] }),
});

/** eFiling citation codes by rule. You supply the codes, with their date and source. */
export type CodeList = z.output<typeof CodeListSchema>;

/**
 * Parses a list of eFiling citation codes. The package doesn't include codes, because we didn't have access to CPSC's
 * list.
 *
 * @throws RangeError if the list isn't valid, with the first problem's path and description
 * @example parseCodeList({ as_of: '2026-11-20', source: 'CPSC', codes: { '16 CFR 1203': '1203' } }).codes['16 CFR 1203'] // '1203'
 */
export function parseCodeList(value: unknown): CodeList {
  const { data, error } = CodeListSchema.safeParse(value);
  if (data) return data;
  const [{ path, message }] = error.issues as [z.core.$ZodIssue];
  throw new RangeError(path.length === 0 ? message : `${path.join('.')}: ${message}`);
}

/**
 * Indexes of a code list's entries by name, by rule, and by code. If several entries share a key, the index contains
 * the first one.
 */
interface CodeIndex {
  readonly byName: ReadonlyMap<string, string>;
  readonly byRule: ReadonlyMap<CatalogRule, string>;
  readonly byCode: ReadonlyMap<string, string>;
}

// Cache indexes, because each exported certificate and imported row looks up codes, and resolving every name in a long
// list each time would be slow.
const indexes = new WeakMap<CodeList['codes'], CodeIndex>();

function indexOf({ codes }: CodeList): CodeIndex {
  const known = indexes.get(codes);
  if (known) return known;
  // Later entries replace earlier ones with the same key, so add the entries in reverse order.
  const entries = Object.entries(codes).reverse();
  const index: CodeIndex = {
    byName: new Map(entries),
    byRule: new Map(
      entries.flatMap(([name, code]) => {
        const { rule } = resolveCitation(name);
        return rule ? [[rule, code] as const] : [];
      }),
    ),
    byCode: new Map(entries.map(([name, code]) => [code, name])),
  };
  indexes.set(codes, index);
  return index;
}

/**
 * Returns the code for a citation, or null if the list doesn't have one. Citations are compared by rule, so the code
 * for `16 CFR 1203` also applies to `§ 1203`.
 */
export function codeOf(citation: string, list: CodeList): string | null {
  const { rule } = resolveCitation(citation);
  const { byName, byRule } = indexOf(list);
  return (rule ? byRule.get(rule) : byName.get(citation)) ?? null;
}

/** Returns the citation for a code, or null if the list doesn't contain the code. */
export const citationOf = (code: string, list: CodeList): string | null => indexOf(list).byCode.get(code) ?? null;
