import { ALL_PROGRAMS, easternDate, PROGRAMS, parseOrigin } from '@compliance/core/tariff';
import { z } from 'zod';
import { asOf, date, duty, interval, program, role, sources } from '../schemas/tariff.ts';
import { defineOperation } from './operation.ts';

/** How many codes one call takes. */
const MAX_CODES = 1000;

const request = z
  .strictObject({
    codes: z
      .array(z.string('Give each code as text; a number loses leading zeros.'))
      .min(1, 'Give at least one code.')
      .max(MAX_CODES, `Give at most ${MAX_CODES} codes in one call; split the rest into further calls.`)
      .meta({
        description: 'HTS codes of 4, 6, 8 or 10 digits, with dots, spaces or neither. Each gets one result, in order.',
      }),
    as_of: asOf,
    programs: z
      .union(
        [z.literal('all'), z.array(program).min(1).max(Object.keys(PROGRAMS).length)],
        `Give "all" or some of: ${ALL_PROGRAMS.join(', ')}.`,
      )
      .optional()
      .meta({ description: 'The programs to ask. Steel, aluminum and copper if left out.' }),
    origin: z
      .string()
      .refine(text => parseOrigin(text) !== null, {
        message: 'Give an ISO 3166 alpha-2 country code, such as DE.',
        params: { code: 'INVALID_FORMAT' },
      })
      .optional()
      .meta({
        format: 'country-code',
        pattern: '^[A-Za-z]{2}$',
        description: 'Country of origin, ISO alpha-2. With it each match lists the duties that are possible.',
      }),
  })
  .meta({ id: 'HtsLookupRequest' });

const coverage = z
  .enum(['full', 'partial'])
  .meta({ description: '`full`: the whole code is listed. `partial`: something below it is.' });
const condition = z.object({ id: z.string(), text: z.string() });
const match = z
  .object({
    list: z.string().meta({ description: 'Id of the list; it has a page at `/docs/lists/<id>`.' }),
    program,
    role,
    hts: z.string().meta({ description: 'The listed provision as printed.' }),
    coverage,
    annex: z.string().nullable().meta({ description: 'The annex of the act that holds it; null where there is none.' }),
    ...duty,
    ...interval,
    conditions: z.array(condition).meta({ description: 'What must be true of the goods for this duty.' }),
    outcomes: z
      .array(z.object({ ...duty, when: z.array(condition), caveats: z.array(z.string()), citation: z.string() }))
      .meta({ description: 'Every duty that is possible for the origin; empty when no origin was given.' }),
    undecided: z.array(z.string()).meta({ description: 'The facts that decide between the possible duties.' }),
    yields_to: z.array(program).meta({
      description: 'Programs that list the code too and whose duty, where it applies, takes the place of this one.',
    }),
    next: z
      .object({ effective_from: date, annex: z.string().nullable(), ...duty })
      .nullable()
      .meta({ description: 'What will be charged after this, where that is set already.' }),
    caveats: z
      .array(z.object({ id: z.string(), text: z.string() }))
      .meta({ description: 'What is not sure about this listing.' }),
    citation: z.string().meta({ description: 'The act and the U.S. note that list it.' }),
    sources: z.array(z.string()).meta({ description: 'Ids of `list.sources`.' }),
  })
  .meta({ id: 'Match', description: 'A listing that decided the answer for a code.' });

const result = z
  .object({
    code: z.string().meta({ description: 'The code exactly as submitted.' }),
    hit: z.boolean().meta({ description: 'A derivative listing in force covers the code.' }),
    in_scope: z.boolean().meta({ description: 'Section 232 reaches the code at all.' }),
    status: z.enum(['hit', 'in_scope', 'adjacent', 'clear', 'invalid']).meta({
      description: 'The first that is true; `invalid` when the text is no HTS code. New values may be added.',
    }),
    adjacent_hits: z.array(
      z.object({
        relation: z
          .enum(['upcoming', 'former', 'same_8_digit', 'same_6_digit', 'same_4_digit'])
          .meta({ description: 'Listed on another date, or how many digits are shared.' }),
        hts: z.string(),
        list: z.string(),
        program,
        role,
        annex: z.string().nullable(),
        ...interval,
        citation: z.string(),
      }),
    ),
    normalized: z.string().nullable().meta({ description: 'The code as the HTS prints it; null when it is none.' }),
    coverage: coverage.nullable(),
    exists: z
      .union([z.boolean(), z.literal('unknown')])
      .meta({ description: 'Whether the HTS has the code; `unknown` while no HTS edition was imported.' }),
    description: z
      .array(z.string())
      .nullable()
      .meta({ description: 'What the HTS says of the code, heading first; null while it is not known.' }),
    message: z.string().meta({ description: 'The answer in plain words.' }),
    matches: z.array(match).meta({ description: 'Every listing that decided the answer.' }),
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
      .meta({ description: 'Listings of programs that were not asked. They are named, not judged.' }),
  })
  .meta({ id: 'HtsLookupResult' });

const response = z
  .object({
    results: z.array(result).meta({ description: 'One for each code, in order, doubled codes too.' }),
    list: z.object({
      version: z.string().meta({ description: 'The edition of the lists that answered.' }),
      known_through: date.meta({ format: 'date', description: 'After this day the lists may have changed.' }),
      sha256: z.string().meta({ description: 'Of the whole edition, to tell two apart.' }),
      as_of: date.meta({ format: 'date', description: 'The date of entry that was asked.' }),
      programs: z.array(program).meta({ description: 'The programs that were asked.' }),
      origin: z.string().nullable(),
      nomenclature: z.string().nullable().meta({ description: 'The HTS edition behind `exists`; null without one.' }),
      sources,
      notice: z.string().nullable().meta({ description: 'What to know of the answer as a whole; null when nothing.' }),
    }),
  })
  .meta({ id: 'HtsLookupResponse' });

export default defineOperation({
  id: 'tariff.hts.lookup',
  method: 'post',
  path: '/api/v1/tariff/hts/lookup',
  scope: 'tariff',
  clientsTake: ['codes'],
  summary: 'Look HTS codes up in the Section 232 lists',
  description:
    'Says for each code whether it is on the Section 232 derivative list (`hit`), reached by Section 232 at all ' +
    '(`in_scope`) or next to a listed provision (`adjacent_hits`), with the citation and the date behind each answer.',
  request,
  response,
  examples: [
    { name: 'a listed code', request: { codes: ['7318.15.2061'], as_of: '2026-10-01' } },
    {
      name: 'several codes and an origin',
      request: { codes: ['8429.11.00', '0101.21.00', 'abc'], as_of: '2026-10-01', origin: 'JP' },
    },
  ],
  handle({ codes, as_of, programs, origin }, { now, lookUp }) {
    return lookUp(codes, {
      asOf: as_of ?? easternDate(now),
      ...(programs && { programs }),
      ...(origin && { origin }),
    }) as unknown as z.output<typeof response>;
  },
});
