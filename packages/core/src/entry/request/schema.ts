import * as z from 'zod';
import { attestationVersions } from '../attestation/texts.ts';
import { PRODUCT_TYPES } from '../citations/catalog.ts';
import { CERTIFICATE_KINDS } from '../kinds/kinds.ts';
import { COUNTRY_PATTERN, countryCodeOf } from '../places/places.ts';
import { SECOND_LANGUAGES } from '../translations/messages.ts';
import { reencodeLogo } from './logo.ts';
import { isMonth, MONTH } from './period.ts';
import { multilineText, refuse, text } from './text.ts';

/** Matches an email address that can contain letters in any script, as in an internationalized domain. */
const INTERNATIONAL_EMAIL =
  /^[^\s@"(),:;<>[\]\\]{1,64}@(?:[\p{L}\p{N}][\p{L}\p{N}\p{M}-]{0,62}\.)+\p{L}[\p{L}\p{N}\p{M}-]{1,62}$/u;

/** Combines several patterns without flags into a JSON Schema pattern that matches any of them. */
const patternOf = (...patterns: readonly RegExp[]) =>
  // In Python, `\d` also matches non-ASCII digits.
  `^(?:${patterns.map(({ source }) => source.replaceAll(String.raw`\d`, '[0-9]').slice(1, -1)).join('|')})$`;

/** The space characters that {@link text} allows within a value, for use in a character class. */
const SPACES = String.raw`\u0020\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff`;

// The `meta` calls describe formats for JSON Schema, because zod can't derive formats from refinements. The patterns
// don't allow spaces around a value, even though the service accepts such spaces and removes them.
const email = text(254)
  .refine(
    value => z.regexes.email.test(value) || INTERNATIONAL_EMAIL.test(value),
    refuse('INVALID_EMAIL', 'must be an email address'),
  )
  .meta({
    format: 'email',
    maxLength: 254,
    // The service also accepts email addresses with non-ASCII letters, for which JSON Schema has a separate format.
    pattern: "^[!#$%&'*+./0-9=?A-Z^_`a-z{|}~-]{1,64}@(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\\.)+[A-Za-z][A-Za-z0-9-]{1,62}$",
  });
const date = text(40)
  .refine(value => z.regexes.date.test(value), refuse('INVALID_DATE', 'must be a calendar date in the form YYYY-MM-DD'))
  .meta({ format: 'date', maxLength: 10, pattern: patternOf(z.regexes.date) });
const dateOrMonth = text(40)
  .refine(
    value => z.regexes.date.test(value) || isMonth(value),
    refuse('INVALID_DATE', 'must be a date (YYYY-MM-DD) or a month (YYYY-MM)'),
  )
  .meta({
    description: 'A date (YYYY-MM-DD) or a month (YYYY-MM)',
    maxLength: 10,
    pattern: patternOf(z.regexes.date, MONTH),
  });
const instant = text(40)
  .refine(
    value => z.regexes.date.test(value) || z.iso.datetime({ offset: true }).safeParse(value).success,
    refuse('INVALID_DATE', 'must be a date (YYYY-MM-DD) or an RFC 3339 timestamp with an offset'),
  )
  .meta({
    description: 'A date (YYYY-MM-DD) or an RFC 3339 timestamp with an offset',
    pattern: patternOf(z.regexes.date, z.regexes.datetime({ offset: true })),
  });
const shaped = (limit: number, pattern: RegExp, what: string) =>
  text(limit)
    .refine(value => pattern.test(value), refuse('INVALID_FORMAT', `must be ${what}`))
    .meta({ description: `${what[0]!.toUpperCase()}${what.slice(1)}`, maxLength: limit, pattern: pattern.source });

const phone = shaped(
  60,
  // Trailing spaces don't count as characters in the number, because the service removes them.
  new RegExp(
    `^[+(]?[0-9](?:[0-9().,/;+#xX${SPACES}-]{2,}[0-9().,/;+#xX-]|` +
      String.raw`[0-9().,/;+#xX${SPACES}-]{3,}[Ee][Xx][Tt](?:[Nn]|[Ee][Nn][Ss][Ii][Oo][Nn])?\.?:?[${SPACES}]*[0-9]{1,7})$`,
  ),
  'a phone number',
);
const country = text(60)
  .overwrite(countryCodeOf)
  .refine(
    value => /^[A-Z]{2}$/.test(value),
    refuse('INVALID_FORMAT', 'must be a country code, such as CN, or an English country name'),
  )
  .meta({
    description: 'An ISO 3166-1 country code, such as CN or CHN, or an English country name',
    maxLength: 60,
    pattern: COUNTRY_PATTERN,
  });
const webAddress = shaped(500, /^https?:\/\/[^\s<>"'\\]+$/i, 'an HTTP or HTTPS URL').meta({
  pattern: String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[!#-&(-;=?-\[\]-~]+$`,
});
const uuid = shaped(100, /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, 'a UUID').meta({ maxLength: 36 });
const index = z.int().min(0);
/** A cited rule used in the example requests. */
const RULE = '16 CFR 1203';
/** A white pixel as a PNG file. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTk7MgAAAABJRU5ErkJggg==';
const image = z
  .string()
  .overwrite(value => {
    const result = reencodeLogo(value);
    return 'png' in result ? result.png : value;
  })
  .superRefine((value, context) => {
    const result = reencodeLogo(value);
    if ('problem' in result) context.addIssue({ code: 'custom', ...refuse('INVALID_IMAGE', result.problem) });
  })
  .meta({
    description:
      'A Base64-encoded PNG or JPEG file of at most 128 KiB and 800 × 800 pixels. Only the image’s pixels are stored, as a PNG.',
    contentEncoding: 'base64',
    // The first bytes of a PNG or JPEG file in base64, followed by groups of four characters.
    pattern: '^(?:iVBORw0KGg[o-r][A-Za-z0-9+/]|/9j/)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    examples: [PIXEL],
  });

/** Maximum number of cited rules. */
export const MAX_RULES = 200;

const contact = {
  address: multilineText(500).optional(),
  city: text(100).optional(),
  state_province: text(100).optional(),
  postal_code: text(20).optional(),
  country: country.optional(),
  phone: phone.optional(),
  email: email.optional(),
};

const Lab = z.strictObject({
  ...contact,
  name: text(250),
  accreditation_id: text(100).optional(),
  type: z.enum(['third_party', 'first_party']).optional(),
  cpsc_lab_id: text(20).optional(),
  report_ids: z.array(text(100)).max(50).optional(),
});

/** A product's audience under 16 CFR 1200.2(a): primarily children 12 or younger, or a general audience. */
const audience = z.enum(['children', 'general_use']);
const months = z
  .int()
  .min(0)
  .max(120 * 12);

const AgeGrading = z
  .strictObject({
    ages: z.strictObject({ from_months: months, to_months: months.optional() }).optional().meta({
      description: 'The manufacturer’s stated age range, in months. Without `to_months`, there’s no upper limit.',
    }),
    stated_use: audience.optional().meta({ description: 'The manufacturer’s statement about the intended use.' }),
    marketing: audience
      .optional()
      .meta({ description: 'The audience suggested by the packaging, display, promotion, and advertising.' }),
    common_recognition: audience
      .optional()
      .meta({ description: 'The product’s intended audience, as commonly recognized by consumers.' }),
    age_guidelines: audience
      .optional()
      .meta({ description: 'The audience indicated by CPSC’s Age Determination Guidelines.' }),
    sold_with_other_audience: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the product is sold in a set with a separate product for the other audience.' }),
  })
  .meta({
    description:
      'The facts that determine whether the product needs a General Certificate of Conformity or a Children’s Product Certificate (16 CFR 1200.2). ' +
      '`children` covers products that are primarily for children 12 or younger, and `general_use` covers all other products.',
  });

const gtin = shaped(100, /^([0-9]{8}|[0-9]{12,14})$/, 'a GTIN: 8, 12, 13, or 14 digits');
const upc = shaped(100, /^[0-9]{12}$/, 'a UPC: 12 digits');

/** Maximum number of variants on a certificate. */
const MAX_VARIANTS = 200;

const Variant = z
  .strictObject({
    name: text(250).optional(),
    model: text(100).optional(),
    sku: text(100).optional(),
    gtin: gtin.optional(),
    upc: upc.optional(),
  })
  .refine(value => value.model ?? value.sku ?? value.gtin ?? value.upc, {
    ...refuse('REQUIRED', 'a model, SKU, GTIN, or UPC is required'),
    path: ['sku'],
  })
  .meta({ anyOf: ['model', 'sku', 'gtin', 'upc'].map(field => ({ required: [field] })) });

/** The fields that both certificate request types share. */
const shared = {
  product_info: z
    .strictObject({
      name: text(250),
      date_of_manufacture: dateOrMonth,
      place_of_manufacture: text(250),
      model: text(100).optional(),
      sku: text(100).optional(),
      description: text(500).optional(),
      brand: text(100).optional(),
      gtin: gtin.optional(),
      upc: upc.optional(),
      serial_number: text(100).optional(),
      registered_number: text(100).optional(),
      alternate_id: text(100).optional(),
      lot_number: text(100).optional(),
      production_start: dateOrMonth.optional(),
      production_end: dateOrMonth.optional(),
      place_of_manufacture_address: multilineText(500).optional(),
      variants: z
        .array(Variant)
        .min(1)
        .max(MAX_VARIANTS)
        .optional()
        .meta({
          description:
            'The covered models or variants (1 to 200) of a product family, each with at least one identifier. The ' +
            'same rules, tests, and dates must apply to all of them.',
        }),
    })
    .meta({ description: 'The product to certify, with its date and place of manufacture.' }),
  manufacturer: z
    .strictObject({
      name: text(250),
      address: multilineText(500),
      contact_email: email,
      phone: phone.optional(),
      street: multilineText(250).optional(),
      city: text(100).optional(),
      state_province: text(100).optional(),
      postal_code: text(20).optional(),
      country: country.optional(),
    })
    .meta({ description: 'The product’s manufacturer.' }),
  testing_lab: z
    .strictObject({ ...Lab.shape, test_date: date.optional() })
    .optional()
    .meta({
      description:
        'The lab that tested the product, with the test date. The lab and the test date are required unless every cited rule is ' +
        'listed in `exclusions` or doesn’t need a test.',
    }),
  cpsc_rules_cited: z.array(multilineText(250)).min(1).max(MAX_RULES).meta({
    description:
      'The 1 to 200 rules that the certificate covers, such as `16 CFR 1203`. An entry that names several rules, such as `16 CFR 1203, 16 CFR 1303`, is split into separate rules.',
  }),
  certifier: z
    .strictObject({
      ...contact,
      role: z.enum(['importer', 'domestic_manufacturer', 'private_labeler']),
      name: text(250),
      importer_of_record_number: text(50).optional(),
    })
    .optional()
    .meta({ description: 'The certifier: the U.S. importer, the domestic manufacturer, or the private labeler.' }),
  records_contact: z
    .strictObject({ ...contact, name: text(250).optional(), position: text(250).optional() })
    .refine(value => value.name ?? value.position, {
      ...refuse('REQUIRED', 'a name or a position is required'),
      path: ['name'],
    })
    .meta({ anyOf: [{ required: ['name'] }, { required: ['position'] }] })
    .optional()
    .meta({ description: 'The records custodian. A name or a position is required.' }),
  other_labs: z.array(Lab).max(20).optional().meta({
    description:
      'Additional labs. In `tests`, a `lab_index` of 0 refers to `testing_lab`, and 1 refers to the first lab in this list.',
  }),
  tests: z
    .array(
      z
        .strictObject({
          rule_index: index.optional(),
          rule: multilineText(250)
            .optional()
            .meta({ examples: [RULE] }),
          standard: text(250).optional(),
          lab_index: index.optional(),
          report_id: text(100).optional(),
          test_date: date,
          component: text(250).optional(),
          report_url: webAddress.optional(),
        })
        .meta({ oneOf: [{ required: ['rule'] }, { required: ['rule_index'] }] }),
    )
    .max(400)
    .optional()
    .meta({ description: 'The lab and test date for each rule.' }),
  exclusions: z
    .array(
      z.strictObject({
        rule: multilineText(250).meta({ examples: [RULE] }),
        basis: text(500),
        code: text(50).optional(),
      }),
    )
    .max(200)
    .optional()
    .meta({ description: 'Rules that don’t require testing, each with a reason.' }),
  attestation: z
    .strictObject({
      attested_by: text(250),
      title: text(250).optional(),
      attested_at: instant,
      text_version: text(100).meta({
        description: 'Version of the attestation text.',
        pattern: `^(?:${attestationVersions.join('|').replaceAll('.', '[.]')})$`,
      }),
    })
    .optional()
    .meta({
      description:
        'The person who attests to the text in 16 CFR 1110.11(a)(7), with the time of attestation. Optional.',
    }),
  efiling: z
    .strictObject({
      certifier_id: text(50).optional(),
      product_id: text(19).optional(),
      version_id: text(19).optional(),
      citation_codes: z.array(text(50)).max(200).optional(),
      current_version_id: text(19).optional(),
      manufacturer_alternate_id: text(50).optional(),
      manufacturer_is_new: z.boolean().optional(),
      lab_is_new: z.boolean().optional(),
      lot_assigned_by: z.enum(['manufacturer', 'seller']).optional(),
      records_contact_is_new: z.boolean().optional(),
    })
    .optional()
    .meta({ description: 'CPSC Product Registry IDs and other values that only the Registry needs.' }),
  certificate_number: text(100).optional().meta({
    description: 'Your own certificate number, which is printed in addition to the certificate ID.',
  }),
  logo: z
    .strictObject({ image, alt_text: text(250).optional() })
    .optional()
    .meta({ description: 'A logo for the certificate header, with a description for screen readers.' }),
  signature_block: z
    .strictObject({ name: text(250).optional(), title: text(250).optional() })
    .optional()
    .meta({
      description:
        'Adds lines for a handwritten signature and date. By default, the lines show the name and title of the person who attests. A signature isn’t required and doesn’t replace the attestation.',
    }),
  supersedes: uuid.optional().meta({
    description: 'The ID of the certificate that this certificate supersedes.',
    examples: ['3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60'],
  }),
  age_grading: AgeGrading.optional(),
  language: z.enum(SECOND_LANGUAGES).optional().meta({
    description:
      'A second language for the headings, labels, and other fixed text. English is always included and is authoritative. Values from the request aren’t translated.',
  }),
  paper: z.enum(['letter', 'a4']).optional().meta({ description: 'The paper size. The default is US Letter.' }),
};

/**
 * Schema for General Certificate of Conformity (GCC) requests: the v1 contract fields and optional fields for the
 * revised 16 CFR 1110.11. Unknown fields are rejected, and text is trimmed and normalized to Unicode NFC.
 * `parseRequest` rejects future dates.
 *
 * @example CertificateRequestSchema.safeParse({}).success // false
 */
export const CertificateRequestSchema = z.strictObject({
  certificate_type: z.enum(['GCC']).optional().meta({ description: 'The certificate type. The default is `GCC`.' }),
  ...shared,
});

/**
 * Schema for Children's Product Certificate (CPC) requests: the fields of a GCC request, plus the fields for 16 CFR
 * parts 1107 and 1109 and 15 U.S.C. 2063(a)(2) and (5).
 *
 * @example ChildrensCertificateRequestSchema.safeParse({}).success // false
 */
export const ChildrensCertificateRequestSchema = z.strictObject({
  certificate_type: z.enum(['CPC']).meta({ description: 'The certificate type.' }),
  ...shared,
  childrens_product: z
    .strictObject({
      types: z.array(z.enum(PRODUCT_TYPES)).min(1).max(PRODUCT_TYPES.length).optional(),
      surface_coating: z
        .boolean()
        .optional()
        .meta({ description: 'Whether the product has paint or a similar surface coating.' }),
      sleepwear_sizes: z
        .array(z.enum(['0-6X', '7-14']))
        .min(1)
        .max(2)
        .optional(),
    })
    .optional()
    .meta({ description: 'Facts that determine which rules the certificate should cite.' }),
  toy_standard: z
    .strictObject({
      edition: shaped(20, /^ASTM F963-[0-9]{2}$/, 'an edition such as ASTM F963-23').meta({
        examples: ['ASTM F963-23'],
      }),
      sections: z
        .array(
          shaped(20, /^[0-9]{1,2}(\.[0-9]{1,2}){1,4}$/, 'a section number such as 4.3.5').meta({ examples: ['4.3.5'] }),
        )
        .min(1)
        .max(100),
    })
    .optional()
    .meta({ description: 'The sections of ASTM F963 that apply, for certificates that cite 16 CFR 1250.' }),
  small_batch: z
    .strictObject({ registration_id: text(50), year: z.int().min(2011).max(2200) })
    .optional()
    .meta({
      description: 'The small batch manufacturer registration and the calendar year for which it’s valid.',
    }),
  component_certificates: z
    .array(
      z.strictObject({
        component: text(250),
        rules: z
          .array(multilineText(250).meta({ examples: [RULE] }))
          .min(1)
          .max(50),
        kind: z.enum(['test_report', 'certificate']),
        issuer: z.strictObject({ ...contact, name: text(250) }),
        certificate_id: text(100).optional(),
        lab_index: index,
        test_date: date,
        identical: z.boolean().optional().meta({
          description: 'Whether the tested component is identical in all material respects to the one in the product.',
        }),
      }),
    )
    .max(50)
    .optional()
    .meta({ description: 'Test reports and certificates for materials and component parts (16 CFR part 1109).' }),
  tracking_label: z
    .strictObject({ name: text(250).optional(), cohort: text(100).optional(), other: text(500).optional() })
    .optional()
    .meta({
      description:
        'Marks on the product and its packaging (15 U.S.C. 2063(a)(5)): the manufacturer or private labeler, the batch or run, and ' +
        'other source information. `name` defaults to the manufacturer (or to the certifier if it’s a private ' +
        'labeler), and `cohort` defaults to `product_info.lot_number`.',
    }),
});

/**
 * Schema for a request for either kind of certificate, for callers that describe both kinds with one schema. To
 * validate a request, use `certificate`, which validates it against the schema for its kind.
 */
export const AnyCertificateRequestSchema = ChildrensCertificateRequestSchema.extend({
  certificate_type: z.enum(CERTIFICATE_KINDS).optional().meta({
    description:
      'The certificate type: `GCC` (the default), or `CPC` for a product that’s primarily for children 12 or younger.',
  }),
});

const tested = { testing_lab: z.strictObject({ ...Lab.shape, test_date: date }) };

/** Schemas, by kind, for requests that cite at least one rule that requires a test. */
export const TESTED_SCHEMAS = {
  GCC: CertificateRequestSchema.safeExtend(tested),
  CPC: ChildrensCertificateRequestSchema.safeExtend(tested),
} as const;

/** Schemas, by kind, for requests that don't cite any rule that requires a test. */
export const REQUEST_SCHEMAS = { GCC: CertificateRequestSchema, CPC: ChildrensCertificateRequestSchema } as const;

/** A request for a General Certificate of Conformity. */
export type GeneralCertificateRequest = z.output<typeof CertificateRequestSchema>;

/** A request for a Children's Product Certificate. */
export type ChildrensCertificateRequest = z.output<typeof ChildrensCertificateRequestSchema>;

/** A validated request for either kind of certificate. */
export type CertificateRequest = GeneralCertificateRequest | ChildrensCertificateRequest;
