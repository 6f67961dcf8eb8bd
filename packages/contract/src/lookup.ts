import { EFILING_STATUSES } from '@compliance/core/entry';
import { originPattern, parseOrigin } from '@compliance/core/tariff';
import { z } from 'zod';
import { asOf, date, dateBasis, duty, htsCodes, interval, program, programs, role, sources } from './tariff.ts';

/** A request to look up HTS codes. */
export const lookupRequest = z
  .strictObject({
    codes: htsCodes.meta({
      description:
        'HTS codes with 4, 6, 8, or 10 digits, with or without dots or spaces. The response has one result for each code, in ' +
        'the same order.',
    }),
    as_of: asOf,
    programs,
    origin: z
      .string()
      .refine(text => parseOrigin(text) !== null, {
        message: 'Use an ISO 3166-1 alpha-2 country code, such as DE.',
        params: { code: 'INVALID_FORMAT' },
      })
      .optional()
      .meta({
        format: 'country-code',
        pattern: originPattern(),
        description:
          'Country of origin as an ISO 3166-1 alpha-2 code, or `EU`. If set, each match lists the possible duties for that origin.',
      }),
    efiling: z
      .boolean()
      .optional()
      .meta({
        description:
          'Whether to include CPSC’s eFiling flag in each result. If a code is flagged, a certificate might be needed. The flags ' +
          'require CPSC’s list, which the service operator loads.',
      }),
  })
  .meta({ id: 'HtsLookupRequest' });

const efilingFlag = z
  .object({
    status: z.enum(EFILING_STATUSES).meta({
      description:
        '`flagged`: CPSC flags this code, or a shorter code that includes it. `includes_flagged`: CPSC flags longer codes that start ' +
        'with this code. `not_listed`: the list doesn’t contain the code, but a certificate might still be needed. `not_loaded`: ' +
        'CPSC’s list isn’t loaded.',
    }),
    groups: z
      .array(z.string())
      .meta({ description: 'Names of the product groups that contain the code in CPSC’s list.' }),
    likely_rules: z.array(z.object({ citation: z.string(), subject: z.string().nullable() })).meta({
      description: 'Rules that are likely to apply. The product, not the code, determines which rules apply.',
    }),
    message: z.string().meta({ description: 'Summary of the flag.' }),
  })
  .meta({ id: 'EfilingFlag' });

const coverage = z.enum(['full', 'partial']).meta({
  description: '`full` if the listing covers the entire code, or `partial` if it covers only part of the code.',
});
const condition = z.object({ id: z.string(), text: z.string() });
const match = z
  .object({
    list: z.string().meta({ description: 'ID of the list, documented at `/docs/lists/<id>`.' }),
    program,
    role,
    hts: z.string().meta({ description: 'The HTS provision as printed in the list.' }),
    coverage,
    annex: z
      .string()
      .nullable()
      .meta({ description: "The annex that contains the listing; null if the listing isn't in an annex." }),
    ...duty,
    ...interval,
    dated_by: dateBasis,
    duty_from: date.meta({
      format: 'date',
      description:
        'First day this duty applies to the provision. This date is later than `effective_from` if the heading for ' +
        'the origin is newer than the listing.',
    }),
    duty_dated_by: dateBasis,
    conditions: z.array(condition).meta({ description: 'Conditions that the goods must meet for this duty to apply.' }),
    outcomes: z
      .array(
        z.object({
          program: program.meta({
            description:
              "The duty's program, which differs from the match's program if the article can be certified as a part under " +
              'another program.',
          }),
          ...duty,
          when: z.array(condition).meta({ description: 'Conditions that the goods must meet for this duty to apply.' }),
          caveats: z.array(z.string()),
          effective_from: date.meta({
            format: 'date',
            description: 'Effective date of the heading or of the listed duty.',
          }),
          dated_by: dateBasis,
          citation: z.string(),
        }),
      )
      .meta({ description: 'All possible duties for the origin; empty if the request has no origin.' }),
    undecided: z
      .array(z.string())
      .meta({ description: 'Unknown facts that determine which of the possible duties applies.' }),
    yields_to: z.array(program).meta({
      description:
        'Other programs that list the code. If a duty under one of these programs applies, it replaces this duty.',
    }),
    next: z
      .object({ effective_from: date, annex: z.string().nullable(), ...duty })
      .nullable()
      .meta({ description: 'The next duty for this listing and origin; null if no later duty is known.' }),
    caveats: z
      .array(z.object({ id: z.string(), text: z.string() }))
      .meta({ description: 'Caveats about this listing, such as an inferred date or a minimum import price.' }),
    citation: z.string().meta({ description: 'The act and the U.S. note that contain the listing.' }),
    sources: z.array(z.string()).meta({ description: 'IDs in `list.sources`.' }),
  })
  .meta({ id: 'Match', description: 'A listing that covers the code.' });

const result = z
  .object({
    code: z.string().meta({ description: 'The submitted code, unchanged.' }),
    hit: z.boolean().meta({ description: 'True if a derivative listing in force covers the entire code.' }),
    in_scope: z
      .boolean()
      .meta({ description: 'True if a Section 232 listing in force covers all or part of the code.' }),
    status: z.enum(['hit', 'in_scope', 'adjacent', 'clear', 'invalid']).meta({
      description:
        "The first of `hit`, `in_scope`, `adjacent`, and `clear` that applies to the code. `invalid` means that the string isn't an HTS code. We might add new values.",
    }),
    adjacent_hits: z.array(
      z.object({
        relation: z.enum(['upcoming', 'former', 'same_8_digit', 'same_6_digit', 'same_4_digit']).meta({
          description:
            "How the listing relates to the code: it covers the code on another date, or it shares the code's leading digits.",
        }),
        hts: z.string(),
        list: z.string(),
        program,
        role,
        annex: z.string().nullable(),
        ...interval,
        citation: z.string(),
      }),
    ),
    normalized: z.string().nullable().meta({ description: "The code in HTS format; null if the code isn't valid." }),
    coverage: coverage.nullable(),
    exists: z
      .union([z.boolean(), z.literal('unknown')])
      .meta({ description: 'Whether the code exists in the HTS; `unknown` if no HTS edition is imported.' }),
    did_you_mean: z.array(z.string()).meta({
      description:
        'Up to five suggested codes to use instead of an invalid code; empty for a valid code. If an HTS edition is ' +
        'imported, the suggestions include only existing codes.',
    }),
    description: z
      .array(z.string())
      .nullable()
      .meta({ description: 'HTS descriptions from the heading to the code; null if unknown.' }),
    message: z.string().meta({ description: 'Summary of the result.' }),
    matches: z.array(match).meta({ description: 'All listings that cover the code.' }),
    stacking: z
      .array(
        z.object({
          programs: z.array(program).length(2),
          relation: z.enum(['excludes', 'one_heading', 'both', 'use_decides', 'not_established']).meta({
            description:
              '`excludes`: the duty under the program in `owed` replaces the other duty. `one_heading`: the duty is owed under only one of ' +
              "the two programs' headings. `both`: both duties are owed. `use_decides`: the article's use or type determines which duty " +
              "is owed. `not_established`: the sources reviewed so far don't establish the relationship. We might add new values.",
          }),
          owed: program.nullable().meta({
            description:
              "If `relation` is `excludes`, the program that takes precedence: if its duty applies, that duty replaces the other program's duty. Null for other relations.",
          }),
          text: z.string().meta({ description: 'Description of the relationship.' }),
          citation: z.string(),
        }),
      )
      .meta({ description: 'For each pair of programs that list the code, how their duties interact.' }),
    other_programs: z
      .array(
        z.object({
          program,
          list: z.string(),
          role,
          hts: z.string(),
          coverage,
          ...interval,
          citation: z.string(),
        }),
      )
      .meta({ description: "Listings in programs that weren't requested. These listings don't affect the result." }),
    efiling: efilingFlag
      .nullable()
      .optional()
      .meta({ description: 'CPSC’s eFiling flag, if requested; null if the code isn’t valid.' }),
  })
  .meta({ id: 'HtsLookupResult' });

/** The result of a lookup, with one entry per code and a description of the data set used. */
export const lookupResponse = z
  .object({
    results: z
      .array(result)
      .meta({ description: 'One result for each submitted code, in the same order, including duplicates.' }),
    list: z.object({
      version: z.string().meta({ description: 'Data set version.' }),
      known_through: date.meta({
        format: 'date',
        description: 'Date through which the lists are current. Later changes are not included.',
      }),
      sha256: z.string().meta({ description: 'SHA-256 hash of the data set.' }),
      as_of: date.meta({ format: 'date', description: 'The entry date used for the lookup.' }),
      programs: z.array(program).meta({ description: 'The programs that were checked.' }),
      origin: z.string().nullable(),
      nomenclature: z
        .string()
        .nullable()
        .meta({ description: 'The HTS edition used for `exists`; null if no edition is imported.' }),
      sources,
      not_included: z
        .string()
        .meta({ description: 'A sentence that lists the duties and fees not covered by a lookup.' }),
      notice: z.string().nullable().meta({ description: 'A notice that applies to the whole response, or null.' }),
    }),
    efiling: z.object({ as_of: date, source: z.string() }).nullable().optional().meta({
      description: 'Date and source of CPSC’s list, if eFiling flags were requested; null if no list is loaded.',
    }),
  })
  .meta({ id: 'HtsLookupResponse' });
