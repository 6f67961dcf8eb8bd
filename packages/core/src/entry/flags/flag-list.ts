import * as z from 'zod';
import { resolveCitation } from '../citations/resolve.ts';

const FlagListSchema = z.strictObject({
  as_of: z.iso.date(),
  source: z.string().min(1).max(500),
  groups: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(200),
        rules: z.array(z.string().min(1).max(100)).max(50).optional(),
        codes: z
          .array(z.string().regex(/^(?:\d{4}|\d{6}|\d{8}|\d{10})$/, 'must have 4, 6, 8, or 10 digits without dots'))
          .max(20_000),
      }),
    )
    .max(1_000),
});

/** A list of flagged HTS codes, indexed by code. */
export interface FlagList extends Pick<z.output<typeof FlagListSchema>, 'as_of' | 'source'> {
  /** Groups by code. A code can be in several groups. */
  readonly groups: ReadonlyMap<string, readonly FlagGroup[]>;
  /** Number of flagged codes that start with each shorter code. */
  readonly below: ReadonlyMap<string, number>;
}

/** A product group in the list, with the rules that are likely to apply to its products. */
interface FlagGroup {
  readonly name: string;
  readonly rules: readonly LikelyRule[];
}

/** A rule that is likely to apply to a product group. `subject` is null if the rule isn't in our catalog. */
export interface LikelyRule {
  readonly citation: string;
  readonly subject: string | null;
}

/**
 * Parses your list of the HTS codes that CPSC flags for eFiling, along with the list's date and source. The package
 * doesn't include the list, because CPSC revises it. Rules are optional: if a group has none, its name is looked up
 * among the subjects in our catalog.
 *
 * @throws RangeError if the list isn't valid. The message contains the path and description of the first problem.
 * @example
 * parseFlagList({ as_of: '2026-09-14', source: 'CPSC', groups: [{ name: 'Bicycle Helmets', codes: ['6506103045'] }] });
 */
export function parseFlagList(value: unknown): FlagList {
  const { data, error } = FlagListSchema.safeParse(value);
  if (!data) {
    const [{ path, message }] = error.issues as [z.core.$ZodIssue];
    throw new RangeError(path.length === 0 ? message : `${path.join('.')}: ${message}`);
  }
  const groups = new Map<string, FlagGroup[]>();
  for (const { name, rules = [name], codes } of data.groups) {
    const likely = rules.map(resolveCitation).filter(({ rule }, at) => rule !== null || rules[at] !== name);
    const group = { name, rules: likely.map(({ citation, subject }) => ({ citation, subject })) };
    for (const code of new Set(codes)) groups.set(code, [...(groups.get(code) ?? []), group]);
  }
  const below = new Map<string, number>();
  for (const code of groups.keys()) {
    for (let length = 4; length < code.length; length += 2) {
      const shorter = code.slice(0, length);
      below.set(shorter, (below.get(shorter) ?? 0) + 1);
    }
  }
  return { as_of: data.as_of, source: data.source, groups, below };
}

/** Values of {@link EfilingFlag}'s `status`. */
export const EFILING_STATUSES = ['flagged', 'includes_flagged', 'not_listed', 'not_loaded'] as const;

/**
 * CPSC's flag for an HTS code:
 *
 * - `flagged`: CPSC flags this code, or a shorter code that includes it.
 * - `includes_flagged`: CPSC flags longer codes that start with this code.
 * - `not_listed`: the list doesn't contain the code, but a certificate might still be needed.
 * - `not_loaded`: there's no list.
 */
export interface EfilingFlag {
  readonly status: (typeof EFILING_STATUSES)[number];
  readonly groups: readonly string[];
  readonly likely_rules: readonly LikelyRule[];
  readonly message: string;
}

/** Warning that is included in every message based on the list. */
const RULE_DECIDES = 'Whether a certificate is needed depends on the rules that apply to the product, not on the code.';

/**
 * Returns CPSC's flag for an HTS code.
 *
 * Source: the list of HTS codes in CPSC's guidance on electronic certificates. CPSC describes the list as indicative:
 * some products under other codes need a certificate, and some products under listed codes don't.
 *
 * @param code 4, 6, 8, or 10 digits, without dots.
 * @param list a list from {@link parseFlagList}, or null if there isn't one.
 * @example efilingFlag('6506103045', null).status // 'not_loaded'
 */
export function efilingFlag(code: string, list: FlagList | null): EfilingFlag {
  if (!list) {
    const message = `We don't know whether CPSC flags this code for eFiling, because CPSC's list isn't loaded.`;
    return { status: 'not_loaded', groups: [], likely_rules: [], message };
  }
  const found = [10, 8, 6, 4].flatMap(length =>
    length <= code.length ? (list.groups.get(code.slice(0, length)) ?? []) : [],
  );
  const dated = `list dated ${list.as_of}`;
  if (found.length > 0) {
    const names = [...new Set(found.map(({ name }) => name))];
    const rules = [...new Map(found.flatMap(group => group.rules).map(rule => [rule.citation, rule])).values()];
    const likely = rules.map(({ citation, subject }) => (subject === null ? citation : `${citation}, ${subject}`));
    const known = likely.length > 0 ? ` Likely rules: ${likely.join('; ')}.` : '';
    const message = `CPSC flags this code (${names.join(', ')}; ${dated}), so a certificate might be needed.${known} ${RULE_DECIDES}`;
    return { status: 'flagged', groups: names, likely_rules: rules, message };
  }
  const count = list.below.get(code) ?? 0;
  if (count > 0) {
    const codes = count === 1 ? 'a code that starts' : `${count} codes that start`;
    const message = `CPSC flags ${codes} with these digits (${dated}), so a certificate might be needed. ${RULE_DECIDES}`;
    return { status: 'includes_flagged', groups: [], likely_rules: [], message };
  }
  const message = `CPSC doesn't flag this code (${dated}), but a certificate might still be needed. ${RULE_DECIDES}`;
  return { status: 'not_listed', groups: [], likely_rules: [], message };
}

/** A lookup's results with each code's flag, and the list's date and source, which are null if there's no list. */
export interface FlaggedResults<Result> {
  readonly results: (Result & { readonly efiling: EfilingFlag | null })[];
  readonly efiling: Pick<FlagList, 'as_of' | 'source'> | null;
}

/**
 * Adds CPSC's flags to lookup results. An invalid code's flag is null.
 *
 * @example withEfilingFlags(lookup(['6506.10.3045'], { asOf }).results, null).results[0].efiling?.status // 'not_loaded'
 */
export function withEfilingFlags<Result extends { readonly normalized: string | null }>(
  results: readonly Result[],
  list: FlagList | null,
): FlaggedResults<Result> {
  return {
    results: results.map(result => ({ ...result, efiling: flagOf(result.normalized, list) })),
    efiling: list && { as_of: list.as_of, source: list.source },
  };
}

/** Returns the flag for a code in HTS format, such as `6506.10.3045`, or null if there's no code. */
const flagOf = (code: string | null, list: FlagList | null) =>
  code === null ? null : efilingFlag(code.replaceAll('.', ''), list);
