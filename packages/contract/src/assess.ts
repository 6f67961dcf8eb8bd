import {
  FACT_KINDS,
  FACT_LIMITS,
  FACT_MESSAGES,
  type FactKind,
  isOriginOrUnknown,
  MAX_OTHER_DUTIES,
  MAX_VALUES,
  MONEY_TEXT,
  originPattern,
  parseOrigin,
  QUOTA_STATUSES,
  QUOTAS,
} from '@compliance/core/tariff';
import { z } from 'zod';
import { asOf, date, dateBasis, HTS_CODE_PATTERN, ORIGIN_PATTERN, program } from './tariff.ts';

type FactName = keyof typeof FACT_KINDS;

/** Maximum number of articles per call. */
export const MAX_ARTICLES = 500;

const DESCRIPTIONS: Record<FactName, string> = {
  customs_value:
    'Customs value of the entire entry line in US dollars: a number, or a decimal string such as `"1250.50"`.',
  column1_rate_pct:
    'Ad valorem column 1 rate in percent. For a specific or compound rate, use the ad valorem equivalent. Defaults to the ' +
    "rate in the service's HTS export, if one has been imported.",
  column1_program:
    'Special program indicator claimed for column 1, such as `KR` or `S`. By default, the service uses the general rate from the ' +
    'HTS export.',
  column2_rate_pct: 'Column 2 rate in percent, for products of Belarus, Cuba, North Korea, and Russia.',
  steel_value: 'Value of the steel content in US dollars.',
  aluminum_value: 'Value of the aluminum content in US dollars.',
  copper_value: 'Value of the copper content in US dollars.',
  steel_weight_pct: "Percentage of the article's weight that is steel.",
  aluminum_weight_pct: "Percentage of the article's weight that is aluminum.",
  copper_weight_pct: "Percentage of the article's weight that is copper.",
  us_origin_pct:
    'Percentage of each metal that was melted and poured, or smelted and cast, in the United States, such as `{ "steel": 100 }`.',
  uk_origin_pct:
    'Percentage of each metal that was melted and poured, or smelted and cast, in the United Kingdom, such as `{ "steel": 100 }`.',
  melted_and_poured_in:
    'Countries where the steel was melted and poured, as ISO 3166-1 alpha-2 codes. Use `unknown` if a country ' +
    "can't be determined.",
  smelted_or_cast_in:
    'Countries where the aluminum and copper were smelted or cast, as ISO 3166-1 alpha-2 codes. Use `unknown` if a country ' +
    "can't be determined.",
  us_content_value: "Value of a vehicle's US content, in US dollars.",
  usmca_qualifying: 'Whether the article qualifies as originating under the USMCA.',
  certification: "The importer's certifications. Use the values listed in `missing`, or `none`.",
  commerce_approval: 'Approvals from the Department of Commerce. Use the values listed in `missing`, or `none`.',
  commerce_authorization:
    'Authorizations from the Department of Commerce. Use the values listed in `missing`, or `none`.',
  company_agreement: "The manufacturer's agreements. Use the values listed in `missing`, or `none`.",
  end_use:
    "The article's type or intended use. Use a value listed in `missing`, or `other` if none of the listed values applies. An " +
    'unrecognized value is treated as unknown.',
  quota: 'Status of the entry under each quota listed in `missing`, such as `{ "uk_auto_trq": "in_quota" }`.',
  technical:
    "Whether a chip's performance is within one of the ranges in U.S. note 39(b). Instead of `true` or `false`, you can send the chip's " +
    'performance figures.',
  patented: 'Whether the article is a patented pharmaceutical or an active ingredient in one.',
  generic: 'Whether the article is a generic drug or a biosimilar.',
  thermal_imaging: 'Whether the article has integrated thermal imaging.',
  model_year: 'Vehicle model year.',
  other_duties:
    'Known duties outside Section 232, to include in `total`. Each duty has an amount in US dollars or a rate as a percentage of ' +
    'the customs value. If a duty has both, the service uses the amount.',
};

const { money: MONEY, rate: RATE, percent: PERCENT, word: WORD, words: WORDS, year: YEAR } = FACT_MESSAGES;
const { countries: COUNTRIES, figure: FIGURE, unknown: UNKNOWN } = FACT_MESSAGES;

/**
 * Returns options that set the error message for values that aren't objects and keep the standard message for unknown
 * fields.
 */
const objectMessage = (message: string) => ({
  error: ({ code }: { code?: string | undefined }) => (code === 'unrecognized_keys' ? UNKNOWN : message),
});
const numberFrom = ([from, to]: readonly [number, number], message: string) =>
  z.number(message).min(from, message).max(to, message);
const money = z.union([numberFrom(FACT_LIMITS.money, MONEY), z.string().regex(MONEY_TEXT, MONEY)], MONEY);
const rate = numberFrom(FACT_LIMITS.rate, RATE);
const percent = numberFrom(FACT_LIMITS.percent, PERCENT);
const word = z.string(WORD).min(FACT_LIMITS.word[0], WORD).max(FACT_LIMITS.word[1], WORD);
const countryName = z
  .string(COUNTRIES)
  .refine(isOriginOrUnknown, COUNTRIES)
  .meta({ format: 'country-code', pattern: originPattern({ except: ['EU'], also: ['unknown'] }) });
const figure = z.number(FIGURE).min(0, FIGURE);

/** Schema for each kind of fact. The core library enforces the same rules without a schema. */
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
    description: 'Known facts about the article. A field that is absent or `null` is treated as unknown.',
  });

/** Validation messages for an invalid `articles` array. */
export const ARTICLES = `Send an array of 1 to ${MAX_ARTICLES} articles.`;
export const TOO_MANY_ARTICLES = `Send at most ${MAX_ARTICLES} articles per call. If you have more articles, split them into multiple calls.`;

const code = z.string('Send the code as a string. Numbers lose leading zeros.').meta({
  format: 'hts-code',
  pattern: HTS_CODE_PATTERN,
  description:
    'HTS code with 4, 6, 8, or 10 digits, with or without dots or spaces. If the code is too short to determine the duties, ' +
    '`missing` contains `code`.',
});
const ORIGIN = 'Use an ISO 3166-1 alpha-2 country code, such as DE.';
const origin = z
  .string(ORIGIN)
  .refine(text => ![null, 'EU'].includes(parseOrigin(text)), { message: ORIGIN, params: { code: 'INVALID_FORMAT' } })
  .meta({
    format: 'country-code',
    pattern: ORIGIN_PATTERN,
    description: 'Country of origin as an ISO 3166-1 alpha-2 code.',
  });

/** An article to assess. */
export const assessArticle = z
  .strictObject({ code, as_of: asOf, origin, facts: facts.nullish() })
  .meta({ id: 'AssessArticle' });

/** An article to assess. */
export type AssessArticle = z.output<typeof assessArticle>;

/**
 * A request with up to 500 articles. The service validates each article separately and reports validation errors in
 * that article's result.
 */
const assessBatch = z
  .strictObject({
    articles: z
      .array(assessArticle, ARTICLES)
      .min(1, ARTICLES)
      .max(MAX_ARTICLES, TOO_MANY_ARTICLES)
      .meta({
        description:
          `Up to ${MAX_ARTICLES} articles, instead of the fields for a single article. The response has one result for each article, ` +
          "in the same order. The result for an invalid article has `error` and doesn't affect the other results.",
      }),
  })
  .meta({ id: 'AssessBatch' });

/** A request to assess a single article, or up to 500 articles in `articles`. */
export const assessRequest = z.union([assessArticle, assessBatch]).meta({
  id: 'AssessRequest',
  description: 'Either a single article, with `code` and `origin`, or several articles in `articles`.',
});

const amount = z.number().nullable();
const step = z.object({ text: z.string(), citation: z.string() }).meta({
  id: 'AssessStep',
  description: 'A step in the reasoning, with its source.',
});
const assessedDuty = z
  .object({
    heading: z.string().nullable().meta({ description: "Chapter 99 heading; null if it hasn't been published." }),
    program,
    base: z
      .object({
        kind: z.string().meta({ description: 'Type of value that the rate applies to, such as `full_customs_value`.' }),
        amount: amount.meta({ description: "The value in US dollars; null if it isn't known." }),
      })
      .meta({ description: 'The value that the rate applies to.' }),
    rate_pct: z
      .number()
      .nullable()
      .meta({ description: "The rate as a percentage; null if the sources don't state it." }),
    includes_column1: z.boolean().meta({ description: 'Whether the rate includes the column 1 duty.' }),
    amount: amount.meta({
      description:
        'Duty in US dollars, rounded half up to the nearest cent; zero for a heading that must be reported but imposes no duty; null if the ' +
        'amount is unknown.',
    }),
    filed: z
      .object({
        heading: z.string(),
        rate_pct: z.number(),
        classification_rate_pct: z.number().meta({
          description: "Duty rate to report under the article's HTS classification (chapters 1 to 97), in percent.",
        }),
        citation: z.string(),
      })
      .nullable()
      .meta({
        description:
          "How to report the duty if CBP's instructions require reporting the entire rate under the Chapter 99 heading; null otherwise.",
      }),
    effective_from: date.meta({ format: 'date', description: 'Effective date of the heading.' }),
    dated_by: dateBasis,
    citation: z.string(),
    steps: z.array(step).meta({ description: 'Steps in the reasoning, in order.' }),
  })
  .meta({ id: 'AssessedDuty', description: 'A Section 232 duty on the article.' });

const assumption = z.object({
  id: z.string(),
  text: z.string().meta({ description: 'Condition text.' }),
  holds: z.boolean().meta({ description: 'Whether the condition is assumed to be true.' }),
});

/** Fields of an assessment. */
export const assessment = {
  code: z.string().nullable().meta({ description: 'The submitted code, unchanged.' }),
  normalized: z.string().meta({ description: 'The code in HTS format.' }),
  as_of: date.meta({ format: 'date', description: 'The entry date used for the assessment.' }),
  origin: z.string(),
  duties: z.array(assessedDuty).nullable().meta({
    description:
      'The Section 232 duties; empty if no duty applies; null if several results are possible (see `outcomes`).',
  }),
  total_232: amount.meta({
    description: 'Sum of the amounts in `duties`; null if several results are possible or an amount is unknown.',
  }),
  combined_column1_and_232: amount.meta({
    description:
      'Sum of the column 1 (or column 2) duty and the Section 232 duties; null if any of these duties is unknown.',
  }),
  total: amount.meta({ description: 'Sum of `combined_column1_and_232` and the declared `other_duties`.' }),
  total_rate_pct: amount.meta({ description: '`total` as a percentage of the customs value.' }),
  not_owed: z.array(step).meta({
    description: "Duties that aren't owed because another program's duty excludes them. Each entry states the reason.",
  }),
  missing: z
    .array(
      z.object({
        fact: z.string().meta({
          description:
            'Dotted path of the field in `facts`, or `code` if the code is too short to determine the duties.',
        }),
        values: z
          .array(z.string())
          .meta({ description: 'Accepted values that lead to different results; empty if the fact is a number.' }),
        decides: z.array(z.object({ id: z.string(), text: z.string(), outcomes: z.array(z.number()) })).meta({
          description:
            'Conditions that depend on the fact. Each condition includes the indexes of the `outcomes` that it affects.',
        }),
      }),
    )
    .meta({ description: 'Unknown facts that would change the result.' }),
  outcomes: z
    .array(
      z.object({
        when: z.array(z.array(assumption)).meta({
          description:
            'Lists of assumptions. The result applies if, in at least one of the lists, all assumptions are true.',
        }),
        duties: z.array(assessedDuty),
        total_232: amount,
      }),
    )
    .meta({
      description:
        'All possible results if the result depends on missing facts; empty if only one result is possible (see `duties`).',
    }),
  total_232_range: z.object({ min: z.number(), max: z.number() }).nullable().meta({
    description:
      'Lowest and highest `total_232` in `outcomes`; null if only one result is possible or an amount is unknown.',
  }),
  not_computed: z.array(z.string()).meta({ description: "Duties and fees that the response doesn't include." }),
  data_set: z
    .object({ version: z.string(), sha256: z.string() })
    .meta({ description: 'The data set that contains the lists.' }),
  known_through: date.meta({
    format: 'date',
    description: 'Date through which the lists are current. Later changes are not included.',
  }),
  caveats: z
    .array(z.object({ id: z.string(), text: z.string() }))
    .meta({ description: 'Reasons that this result is uncertain.' }),
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
      .meta({
        description: 'Validation errors for an invalid article. If `error` is present, `code` is the only other field.',
      }),
  })
  .meta({ id: 'AssessResult', description: 'The assessment of an article in `articles`.' });

/** The assessment of a single article, or a result for each article in `articles`. */
export const assessResponse = z
  .object({
    ...z.object(assessment).partial().shape,
    results: z.array(assessResult).optional().meta({
      description:
        'One result for each article in `articles`, in the same order. Absent if the request describes a single article without `articles`.',
    }),
  })
  .meta({
    id: 'AssessResponse',
    description: 'The assessment of a single article, or `results` if the request has `articles`.',
  });
