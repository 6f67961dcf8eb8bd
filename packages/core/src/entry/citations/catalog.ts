import * as z from 'zod';
import data from './rules.json' with { type: 'json' };

const Source = z.strictObject({
  id: z.string().min(1),
  title: z.string().min(1),
  url: z.url(),
  states: z.string().nullable(),
  read: z.iso.date(),
});

const TestExclusion = z.strictObject({
  provision: z.string().regex(/^(16 CFR|15 U\.S\.C\.) \S/),
  covers: z.string().min(1),
  source: z.string().min(1),
});

const Rule = z.strictObject({
  citation: z.string().regex(/^(16 CFR|15 U\.S\.C\.) \S/),
  subject: z.string().min(1),
  certificates: z.array(z.enum(['GCC', 'CPC'])).max(2),
  role: z.enum(['rule', 'process', 'category_ban', 'not_listed']),
  children_only: z.boolean(),
  ban: z.boolean(),
  typical_standard: z.string().min(1).nullable(),
  standing: z.enum(['confirmed', 'recalled']),
  sources: z.array(z.string()).min(1),
  aliases: z.array(z.string().min(1)),
  test_exclusions: z.array(TestExclusion).optional(),
  note: z.string().min(1).optional(),
});

const Catalog = z
  .strictObject({
    version: z.string().min(1),
    sources: z.array(Source),
    ambiguous: z.array(z.strictObject({ alias: z.string().min(1), citations: z.array(z.string()).min(2) })),
    rules: z.array(Rule),
  })
  .superRefine(({ sources, rules }, context) => {
    const known = new Set(sources.map(source => source.id));
    const seen = new Set<string>();
    for (const [index, rule] of rules.entries()) {
      const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['rules', index], message });
      if (seen.has(rule.citation)) refuse(`${rule.citation} is listed twice`);
      seen.add(rule.citation);
      for (const id of [...rule.sources, ...(rule.test_exclusions ?? []).map(({ source }) => source)])
        if (!known.has(id)) refuse(`${rule.citation} refers to the unknown source ${id}`);
      if ((rule.role === 'rule') !== rule.certificates.length > 0)
        refuse(`${rule.citation}: role and certificates contradict each other`);
    }
  });

/**
 * A rule, ban, standard, or regulation that CPSC administers.
 *
 * `certificates` contains the certificate types that CPSC's two lists require for the rule: `GCC` (general use), `CPC`
 * (children's products), or both. If no certificate can cite the rule, `certificates` is empty, and `role` gives the reason:
 * `process` (procedures and labels), `category_ban` (the whole product category is banned), or `not_listed` (on neither
 * list). Only a rule with the role `rule` needs a test, and `test_exclusions` lists the provisions that exempt some products
 * from the test (16 CFR 1110.11(c)). `children_only` is true if citing the rule implies a children's product. `standing` is
 * our level of confidence in the rule's data, and `sources` lists the documents that contain the data. `typical_standard` is
 * only informational: the standard hasn't been confirmed against a list and never appears on a certificate.
 */
export type CatalogRule = z.infer<typeof Rule>;

/** A catalog of known rules and their sources. The catalog is incomplete, because CPSC's lists are from 2024. */
export type Catalog = z.infer<typeof Catalog>;

/**
 * Parses a catalog. Rejects rules that have no source, refer to an unknown source, or are listed twice.
 *
 * @throws ZodError that names each rejected row.
 * @example parseCatalog({ catalog: 'mine', sources: [], ambiguous: [], rules: [] }).rules.length // 0
 */
export function parseCatalog(value: unknown): Catalog {
  return Catalog.parse(value);
}

/** The catalog that ships with the package, compiled from CPSC's lists on 2026-09-24 and the eCFR on 2026-09-22. */
export const catalog: Catalog = parseCatalog(data);
