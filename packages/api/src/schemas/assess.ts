import {
  FACT_KINDS,
  FACT_LIMITS,
  FACT_MESSAGES,
  type FactKind,
  isOriginOrUnknown,
  MAX_OTHER_DUTIES,
  MAX_VALUES,
  MONEY_TEXT,
  parseOrigin,
  QUOTA_STATUSES,
  QUOTAS,
} from '@compliance/core/tariff';
import { z } from 'zod';
import { asOf, date, dateBasis, program } from './tariff.ts';

type FactName = keyof typeof FACT_KINDS;

/** Maximum number of articles per call. */
export const MAX_ARTICLES = 500;

const DESCRIPTIONS: Record<FactName, string> = {
  customs_value: 'Customs value of the whole line in US dollars: a number, or a decimal string such as `"1250.50"`.',
  column1_rate_pct:
    'Ad valorem column 1 rate in percent; for a specific or compound rate, its equivalent. Defaults to the rate in the HTS export ' +
    'of the service, if one is imported.',
  column1_program:
    'Special program indicator claimed for column 1, such as `KR` or `S`. Without it, the general rate of the HTS export is used.',
  column2_rate_pct: 'Column 2 rate in percent, for products of Belarus, Cuba, North Korea, and Russia.',
  steel_value: 'Value of the steel content in US dollars.',
  aluminum_value: 'Value of the aluminum content in US dollars.',
  copper_value: 'Value of the copper content in US dollars.',
  steel_weight_pct: "Steel as a share of the article's weight, in percent.",
  aluminum_weight_pct: "Aluminum as a share of the article's weight, in percent.",
  copper_weight_pct: "Copper as a share of the article's weight, in percent.",
  us_origin_pct:
    'Share of each metal that was melted and poured, or smelted and cast, in the United States, in percent: `{ "steel": 100 }`.',
  uk_origin_pct:
    'Share of each metal that was melted and poured, or smelted and cast, in the United Kingdom, in percent.',
  melted_and_poured_in:
    "Where the steel was melted and poured: ISO 3166-1 alpha-2 country codes, or `unknown` if it can't be determined.",
  smelted_or_cast_in:
    "Where the aluminum and copper were smelted or cast: ISO 3166-1 alpha-2 country codes, or `unknown` if it can't be determined.",
  us_content_value: 'Value of the US content of a vehicle in US dollars.',
  usmca_qualifying: 'Whether the article qualifies as originating under the USMCA.',
  certification: 'Certifications that the importer makes, as named in `missing`, or `none`.',
  commerce_approval: 'Approvals by the Department of Commerce, as named in `missing`, or `none`.',
  commerce_authorization: 'Authorizations by the Department of Commerce, as named in `missing`, or `none`.',
  company_agreement: "The manufacturer's agreements, as named in `missing`, or `none`.",
  end_use:
    "What the article is or what it is for, as named in `missing`, or `other` if it is none of these. A value that isn't listed is " +
    'treated as unknown.',
  quota: 'Status by quota, as named in `missing`: `{ "uk_auto_trq": "in_quota" }`.',
  technical: 'Whether a chip is within a window of U.S. note 39(b), or the figures that decide it.',
  patented: 'Whether the article is a patented pharmaceutical or an active ingredient of one.',
  generic: 'Whether the article is a generic drug or a biosimilar.',
  thermal_imaging: 'Whether the article has integrated thermal imaging.',
  model_year: 'Model year of a vehicle.',
  other_duties:
    'Duties outside Section 232 that you know, for `total`: an amount in US dollars, or a rate on the customs value. An amount takes ' +
    'precedence.',
};

const { money: MONEY, rate: RATE, percent: PERCENT, word: WORD, words: WORDS, year: YEAR } = FACT_MESSAGES;
const { countries: COUNTRIES, figure: FIGURE, unknown: UNKNOWN } = FACT_MESSAGES;

/** Keeps the message about an unknown field, and replaces the one about a value that isn't an object. */
const objectMessage = (message: string) => ({
  error: ({ code }: { code?: string | undefined }) => (code === 'unrecognized_keys' ? UNKNOWN : message),
});
const numberFrom = ([from, to]: readonly [number, number], message: string) =>
  z.number(message).min(from, message).max(to, message);
const money = z.union([numberFrom(FACT_LIMITS.money, MONEY), z.string().regex(MONEY_TEXT, MONEY)], MONEY);
const rate = numberFrom(FACT_LIMITS.rate, RATE);
const percent = numberFrom(FACT_LIMITS.percent, PERCENT);
const word = z.string(WORD).min(FACT_LIMITS.word[0], WORD).max(FACT_LIMITS.word[1], WORD);
const countryName = z.string(COUNTRIES).refine(isOriginOrUnknown, COUNTRIES).meta({ format: 'country-code' });
const figure = z.number(FIGURE).min(0, FIGURE);

/** The schema of each kind of fact. The library validates them in the same way, without a schema. */
const KINDS: Record<FactKind, z.ZodType> = {
  money,
  rate,
  percent,
  word,
  words: z.union([word, z.array(word).min(1, WORDS).max(MAX_VALUES, WORDS)], WORDS),
  countries: z.union([countryName, z.array(countryName).min(1, COUNTRIES).max(MAX_VALUES, COUNTRIES)], COUNTRIES),
  flag: z.boolean(FACT_MESSAGES.flag),
  metal_shares: z.strictObject(
    { steel: percent.nullish(), aluminum: percent.nullish(), copper: percent.nullish() },
    objectMessage(FACT_MESSAGES.metal_shares),
  ),
  quota: z.strictObject(
    Object.fromEntries(QUOTAS.map(name => [name, z.enum(QUOTA_STATUSES, FACT_MESSAGES.quota_status).nullish()])),
    objectMessage(FACT_MESSAGES.quota),
  ),
  technical: z.union(
    [z.boolean(), z.strictObject({ total_processing_performance: figure, dram_bandwidth_gb_s: figure })],
    FACT_MESSAGES.technical,
  ),
  year: numberFrom(FACT_LIMITS.year, YEAR).int(YEAR),
  other_duties: z
    .array(
      z.strictObject(
        { program: word, rate_pct: rate.nullish(), amount: money.nullish() },
        objectMessage(FACT_MESSAGES.other_duty),
      ),
      FACT_MESSAGES.other_duties,
    )
    .max(MAX_OTHER_DUTIES, FACT_MESSAGES.other_duties),
};

/** Known facts about an article. */
const facts = z
  .strictObject(
    Object.fromEntries(
      Object.entries(FACT_KINDS).map(([name, kind]) => [
        name,
        KINDS[kind].nullish().meta({ description: DESCRIPTIONS[name as FactName] }),
      ]),
    ),
    objectMessage(FACT_MESSAGES.facts),
  )
  .meta({
    id: 'AssessFacts',
    description: 'What you know about the article. A field that is absent or `null` is unknown.',
  });

/** Messages for `articles` with the wrong number of articles. */
export const ARTICLES = `Send 1 to ${MAX_ARTICLES} articles as a list.`;
export const TOO_MANY_ARTICLES = `Send at most ${MAX_ARTICLES} articles per call. For more, split them into multiple calls.`;

const code = z.string('Send the code as a string. Numbers lose leading zeros.').meta({
  format: 'hts-code',
  description:
    'HTS code with 4, 6, 8, or 10 digits, with or without dots or spaces. If the code is too short to decide, `missing` contains `code`.',
});
const ORIGIN = 'Use the ISO 3166-1 alpha-2 code of a country, such as DE.';
const origin = z
  .string(ORIGIN)
  .refine(text => ![null, 'EU'].includes(parseOrigin(text)), { message: ORIGIN, params: { code: 'INVALID_FORMAT' } })
  .meta({
    format: 'country-code',
    pattern: '^[A-Za-z]{2}$',
    description: 'Country of origin as an ISO 3166-1 alpha-2 code.',
  });

/** An article to assess. */
export const assessArticle = z
  .strictObject({ code, as_of: asOf, origin, facts: facts.nullish() })
  .meta({ id: 'AssessArticle' });

/** An article to assess. */
export type AssessArticle = z.output<typeof assessArticle>;

/** Up to 500 articles. An invalid one is reported in its result, so the service validates them one by one. */
const assessBatch = z
  .strictObject({
    articles: z
      .array(assessArticle, ARTICLES)
      .min(1, ARTICLES)
      .max(MAX_ARTICLES, TOO_MANY_ARTICLES)
      .meta({
        description:
          `Up to ${MAX_ARTICLES} articles, instead of the other fields. The response has one result for each article, in the same ` +
          "order. An invalid article has `error` and doesn't affect the others.",
      }),
  })
  .meta({ id: 'AssessBatch' });

/** One article, or up to 500 in `articles`. */
export const assessRequest = z.union([assessArticle, assessBatch]).meta({
  id: 'AssessRequest',
  description: 'Either one article, with `code` and `origin`, or `articles`.',
});

const amount = z.number().nullable();
const step = z.object({ text: z.string(), citation: z.string() }).meta({
  id: 'AssessStep',
  description: 'A step of the reasoning, and its source.',
});
const assessedDuty = z
  .object({
    heading: z.string().nullable().meta({ description: "Chapter 99 heading; null if it hasn't been published." }),
    program,
    base: z
      .object({
        kind: z.string().meta({ description: 'The value that the rate applies to, such as `full_customs_value`.' }),
        amount: amount.meta({ description: "The value in US dollars; null if it isn't known." }),
      })
      .meta({ description: 'The value that the rate applies to.' }),
    rate_pct: z.number().nullable().meta({ description: "Rate in percent; null if the sources don't state it." }),
    includes_column1: z.boolean().meta({ description: 'Whether the rate includes the column 1 duty.' }),
    amount: amount.meta({
      description:
        "Duty in US dollars, rounded half up to the cent; 0 for a heading that must be filed without a duty; null if a value isn't known.",
    }),
    filed: z
      .object({
        heading: z.string(),
        rate_pct: z.number(),
        classification_rate_pct: z
          .number()
          .meta({ description: 'Rate to file on the classification in chapters 1 to 97.' }),
        citation: z.string(),
      })
      .nullable()
      .meta({ description: 'How CBP wants the duty filed, if that differs from the duty; otherwise null.' }),
    effective_from: date.meta({ format: 'date', description: 'First day on which the heading applies.' }),
    dated_by: dateBasis,
    citation: z.string(),
    steps: z.array(step).meta({ description: 'The reasoning, in order.' }),
  })
  .meta({ id: 'AssessedDuty', description: 'A Section 232 duty of the article.' });

const assumption = z.object({
  id: z.string(),
  text: z.string().meta({ description: 'The condition in words.' }),
  holds: z.boolean().meta({ description: 'Whether the condition is assumed to hold.' }),
});

const assessment = {
  code: z.string().nullable().meta({ description: 'The submitted code, unchanged.' }),
  normalized: z.string().meta({ description: 'The code in HTS format.' }),
  as_of: date.meta({ format: 'date', description: 'The entry date that was evaluated.' }),
  origin: z.string(),
  duties: z
    .array(assessedDuty)
    .nullable()
    .meta({ description: 'The Section 232 duties; empty if none applies; null if there are several `outcomes`.' }),
  total_232: amount.meta({
    description: 'Sum of the amounts in `duties`; null if there are several `outcomes` or an amount is unknown.',
  }),
  combined_column1_and_232: amount.meta({
    description: "Column 1 (or column 2) duty and Section 232 duties together; null if one isn't known.",
  }),
  total: amount.meta({ description: '`combined_column1_and_232` and the declared `other_duties`.' }),
  total_rate_pct: amount.meta({ description: '`total` as a percentage of the customs value.' }),
  not_owed: z.array(step).meta({ description: "Duties that another program's duty excludes, and why." }),
  missing: z
    .array(
      z.object({
        fact: z
          .string()
          .meta({ description: 'Field of `facts`, with dots, or `code` for a code that is too short to decide.' }),
        values: z
          .array(z.string())
          .meta({ description: 'Accepted values that lead to different results; empty for a number.' }),
        decides: z
          .array(z.object({ id: z.string(), text: z.string(), outcomes: z.array(z.number()) }))
          .meta({ description: 'The conditions that the fact decides, each with the indexes of its `outcomes`.' }),
      }),
    )
    .meta({ description: 'Facts that would change the result.' }),
  outcomes: z
    .array(
      z.object({
        when: z
          .array(z.array(assumption))
          .meta({ description: 'The result applies if all assumptions in any one of these lists are right.' }),
        duties: z.array(assessedDuty),
        total_232: amount,
      }),
    )
    .meta({ description: 'Every possible result if facts are missing; empty if there is only one, in `duties`.' }),
  total_232_range: z
    .object({ min: z.number(), max: z.number() })
    .nullable()
    .meta({ description: 'Lowest and highest `total_232` of the `outcomes`; null if an amount is unknown.' }),
  not_computed: z.array(z.string()).meta({ description: 'Duties and fees that the response does not include.' }),
  data_set: z.object({ version: z.string(), sha256: z.string() }).meta({ description: 'The data set of the lists.' }),
  known_through: date.meta({
    format: 'date',
    description: 'Date through which the lists are current. Later changes are not included.',
  }),
  caveats: z
    .array(z.object({ id: z.string(), text: z.string() }))
    .meta({ description: 'Uncertainties about this result.' }),
};

const assessResult = z
  .object({
    ...z.object(assessment).partial().shape,
    error: z
      .object({
        message: z.string(),
        issues: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
      })
      .optional()
      .meta({ description: 'What to fix in an invalid article. The result then has no other fields but `code`.' }),
  })
  .meta({ id: 'AssessResult', description: 'The assessment of an article in `articles`.' });

/** The assessment of one article, or the results of `articles`. */
export const assessResponse = z
  .object({
    ...z.object(assessment).partial().shape,
    results: z.array(assessResult).optional().meta({
      description: 'One result for each article in `articles`, in the same order. Absent for a single article.',
    }),
  })
  .meta({
    id: 'AssessResponse',
    description: 'The assessment of the article, or `results` if the request has `articles`.',
  });
