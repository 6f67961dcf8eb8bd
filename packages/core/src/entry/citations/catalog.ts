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
  part: z.string().min(1).optional(),
  source: z.string().min(1),
});

/** The product types that determine which rules a Children's Product Certificate is expected to cite. */
export const PRODUCT_TYPES = [
  ...(['toy', 'child_care_article', 'sleepwear', 'apparel', 'bunk_bed', 'bicycle', 'bicycle_helmet'] as const),
  ...(['full_size_crib', 'non_full_size_crib', 'toddler_bed', 'bassinet_or_cradle', 'play_yard'] as const),
  ...(['carriage_or_stroller', 'high_chair', 'booster_seat', 'folding_chair_or_stool'] as const),
  ...(['changing_product', 'infant_walker', 'rattle', 'pacifier'] as const),
] as const;

/** All facts that determine which rules a Children's Product Certificate is expected to cite. */
const PRODUCT_FACTS = [
  ...PRODUCT_TYPES,
  ...(['childrens_product', 'surface_coating', 'under_3', 'age_3_or_younger'] as const),
  ...(['sizes_0_to_6x', 'sizes_7_to_14'] as const),
] as const;

/** A product type, or another fact about a children's product. */
export type ProductFact = (typeof PRODUCT_FACTS)[number];

const ThirdPartyTesting = z.strictObject({
  source: z.string().min(1),
  small_batch: z.strictObject({ group: z.enum(['A', 'B']), source: z.string().min(1) }).optional(),
});

const Expectation = z.strictObject({ facts: z.array(z.enum(PRODUCT_FACTS)).min(1), source: z.string().min(1) });

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
  third_party_testing: ThirdPartyTesting.optional(),
  expected_for: z.array(Expectation).optional(),
  note: z.string().min(1).optional(),
});

const Catalog = z
  .strictObject({
    version: z.string().min(1),
    known_through: z.iso.date(),
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
      const { third_party_testing: testing, test_exclusions = [], expected_for = [] } = rule;
      const details = [...test_exclusions, ...expected_for, testing, testing?.small_batch];
      for (const id of [...rule.sources, ...details.flatMap(detail => detail?.source ?? [])])
        if (!known.has(id)) refuse(`${rule.citation} refers to the unknown source ${id}`);
      if (rule.certificates.includes('CPC') !== (testing !== undefined))
        refuse(`${rule.citation}: third_party_testing and certificates contradict each other`);
      if ((rule.role === 'rule') !== rule.certificates.length > 0)
        refuse(`${rule.citation}: role and certificates contradict each other`);
    }
  });

/**
 * A rule, ban, standard, or regulation that CPSC administers.
 *
 * `certificates` contains the certificate types that CPSC's two lists require for the rule: `GCC` (general use), `CPC`
 * (children's products), or both. If no certificate can cite the rule, `certificates` is empty, and `role` gives the
 * reason: `process` (procedures and labels), `category_ban` (the whole product category is banned), or `not_listed` (on
 * neither list). Only a rule with the role `rule` needs a test. `test_exclusions` lists the provisions that exempt some
 * products from the test (16 CFR 1110.11(c)). An exclusion with a `part` covers only that part of the rule.
 * `third_party_testing` is present if children's products need a test by a CPSC-accepted laboratory (15 U.S.C.
 * 2063(a)(2)). Its `small_batch` group, if known, is `B` if registered small batch manufacturers can use other tests,
 * or `A` if they can't. The rule is expected on a Children's Product Certificate if all facts in any entry of
 * `expected_for` apply. `children_only` is true if citing the rule implies a children's product. `standing` is our
 * level of confidence in the rule's data, and `sources` lists the documents that the data comes from.
 * `typical_standard` is for information only: we haven't checked the standard against a list, and the standard never
 * appears on a certificate.
 */
export type CatalogRule = z.infer<typeof Rule>;

/**
 * A catalog of known rules and their sources. `known_through` is the date through which both of CPSC's lists of rules
 * are current, according to the lists themselves. The catalog is incomplete, because it's based on CPSC lists from
 * 2024.
 */
export type Catalog = z.infer<typeof Catalog>;

/**
 * Parses a catalog. Rejects rules that have no source, refer to an unknown source, or are listed twice.
 *
 * @throws ZodError that identifies each rejected rule.
 * @example parseCatalog({ version: 'mine', known_through: '2024-08-08', sources: [], ambiguous: [], rules: [] }).rules.length // 0
 */
export function parseCatalog(value: unknown): Catalog {
  return Catalog.parse(value);
}

/**
 * The catalog that ships with the package, compiled on 2026-09-24 from CPSC's lists and the catalog's other sources.
 */
export const catalog: Catalog = parseCatalog(data);
