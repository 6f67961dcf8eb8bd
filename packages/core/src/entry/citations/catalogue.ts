import * as z from 'zod';
import data from './rules.json' with { type: 'json' };

const Source = z.strictObject({
  id: z.string().min(1),
  title: z.string().min(1),
  url: z.url(),
  states: z.string().nullable(),
  read: z.iso.date(),
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
  note: z.string().min(1).optional(),
});

const Catalogue = z
  .strictObject({
    catalogue: z.string().min(1),
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
      for (const id of rule.sources) if (!known.has(id)) refuse(`${rule.citation} names no source ${id}`);
      if ((rule.role === 'rule') !== rule.certificates.length > 0)
        refuse(`${rule.citation}: role and certificates differ`);
    }
  });

/**
 * One rule, ban, standard or regulation that CPSC administers.
 *
 * `certificates` holds what CPSC's two lists ask for: `GCC` (general use), `CPC` (children's products) or both; it is empty
 * for rules that cannot be certified to. `role` says why: `process` (procedures and labels), `category_ban` (nothing is left
 * to certify), `not_listed` (on neither list). `children_only` is true where citing the rule means a children's product.
 * `standing` says how sure the row is and `sources` where it was read. `typical_standard` is for orientation only: it was
 * not confirmed against a list and is never printed on a certificate.
 */
export type CatalogueRule = z.infer<typeof Rule>;

/**
 * The rules we know, with their sources. It is not complete and does not claim to be: the lists it was read from end in 2024.
 */
export type Catalogue = z.infer<typeof Catalogue>;

/**
 * Reads a catalogue and refuses one that is not sound: a rule without a source, with an unknown source, or listed twice.
 *
 * @throws ZodError naming each row that was refused.
 * @example parseCatalogue({ catalogue: 'mine', sources: [], ambiguous: [], rules: [] }).rules.length // 0
 */
export function parseCatalogue(value: unknown): Catalogue {
  return Catalogue.parse(value);
}

/** The catalogue that ships with the package, read on 2026-09-24 from CPSC's lists and on 2026-09-22 from the eCFR. */
export const catalogue: Catalogue = parseCatalogue(data);
