import * as z from 'zod';
import { countryCodeOf } from '../places/places.ts';
import { reencodeLogo } from './logo.ts';
import { isMonth } from './period.ts';
import { multilineText, refuse, text } from './text.ts';

/** Matches an email address with letters of any script, such as an internationalized domain. */
const INTERNATIONAL_EMAIL =
  /^[^\s@"(),:;<>[\]\\]{1,64}@(?:[\p{L}\p{N}][\p{L}\p{N}\p{M}-]{0,62}\.)+\p{L}[\p{L}\p{N}\p{M}-]{1,62}$/u;

// The `meta` calls describe formats for JSON Schema, because zod can't derive formats from refinements.
const email = text(254)
  .refine(
    value => z.regexes.email.test(value) || INTERNATIONAL_EMAIL.test(value),
    refuse('INVALID_EMAIL', 'must be an email address'),
  )
  .meta({ format: 'email', maxLength: 254 });
const date = text(40)
  .refine(value => z.regexes.date.test(value), refuse('INVALID_DATE', 'must be a calendar date in the form YYYY-MM-DD'))
  .meta({ format: 'date' });
const dateOrMonth = text(40)
  .refine(
    value => z.regexes.date.test(value) || isMonth(value),
    refuse('INVALID_DATE', 'must be a date (YYYY-MM-DD) or a month (YYYY-MM)'),
  )
  .meta({ description: 'A date (YYYY-MM-DD) or a month (YYYY-MM)' });
const instant = text(40)
  .refine(
    value => z.regexes.date.test(value) || z.iso.datetime({ offset: true }).safeParse(value).success,
    refuse('INVALID_DATE', 'must be a date (YYYY-MM-DD) or a time with an offset (RFC 3339)'),
  )
  .meta({ description: 'A date (YYYY-MM-DD) or a time with an offset (RFC 3339)' });
const shaped = (limit: number, pattern: RegExp, what: string) =>
  text(limit)
    .refine(value => pattern.test(value), refuse('INVALID_FORMAT', `must be ${what}`))
    .meta({ description: `${what[0]!.toUpperCase()}${what.slice(1)}`, maxLength: limit });

const phone = shaped(60, /^[+(]?\d[\d\s().,/;+#x-]{3,}(?:(?:ext|extn|extension)\.?:?\s*\d{1,7})?$/i, 'a phone number');
const country = text(60)
  .overwrite(countryCodeOf)
  .refine(
    value => /^[A-Z]{2}$/.test(value),
    refuse('INVALID_FORMAT', 'must be a country code such as CN, or a country name in English'),
  )
  .meta({ description: 'A country as an ISO 3166-1 code such as CN or CHN, or its name in English', maxLength: 60 });
const webAddress = shaped(500, /^https?:\/\/[^\s<>"'\\]+$/i, 'an HTTP or HTTPS URL');
const uuid = shaped(100, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, 'a UUID');
const index = z.int().min(0);
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
      'A PNG or JPEG file in base64, at most 128 KiB and 800 pixels wide and high. Only the image’s pixels are stored, as a PNG.',
    contentEncoding: 'base64',
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

/**
 * Certificate request schema, with the v1 contract fields and optional fields for the revised 16 CFR 1110.11. Unknown
 * fields are rejected, and text is trimmed and normalized to Unicode NFC. `parseRequest` rejects future dates.
 *
 * @example CertificateRequestSchema.safeParse({}).success // false
 */
export const CertificateRequestSchema = z.strictObject({
  product_info: z
    .strictObject({
      name: text(250),
      date_of_manufacture: dateOrMonth,
      place_of_manufacture: text(250),
      model: text(100).optional(),
      sku: text(100).optional(),
      description: text(500).optional(),
      brand: text(100).optional(),
      gtin: shaped(100, /^(\d{8}|\d{12,14})$/, 'a GTIN: 8, 12, 13 or 14 digits').optional(),
      upc: shaped(100, /^\d{12}$/, 'a UPC: 12 digits').optional(),
      serial_number: text(100).optional(),
      registered_number: text(100).optional(),
      alternate_id: text(100).optional(),
      lot_number: text(100).optional(),
      production_start: dateOrMonth.optional(),
      production_end: dateOrMonth.optional(),
      place_of_manufacture_address: multilineText(500).optional(),
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
        'listed in `exclusions` or needs no test.',
    }),
  cpsc_rules_cited: z
    .array(multilineText(250))
    .min(1)
    .max(MAX_RULES)
    .meta({
      description:
        'The rules (1 to 200) that the product is certified to, such as `16 CFR 1203`. A text that names several rules, such as ' +
        '`16 CFR 1203, 16 CFR 1303`, is split.',
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
    .optional()
    .meta({ description: 'The records custodian. A name or a position is required.' }),
  other_labs: z.array(Lab).max(20).optional().meta({
    description: 'Additional labs. In `tests`, `lab_index` 0 is `testing_lab`, and 1 is the first lab in this list.',
  }),
  tests: z
    .array(
      z.strictObject({
        rule_index: index.optional(),
        rule: multilineText(250).optional(),
        standard: text(250).optional(),
        lab_index: index.optional(),
        report_id: text(100).optional(),
        test_date: date,
        component: text(250).optional(),
        report_url: webAddress.optional(),
      }),
    )
    .max(400)
    .optional()
    .meta({ description: 'The lab and test date for each rule.' }),
  exclusions: z
    .array(z.strictObject({ rule: multilineText(250), basis: text(500), code: text(50).optional() }))
    .max(200)
    .optional()
    .meta({ description: 'Rules that don’t require testing, each with the reason.' }),
  attestation: z
    .strictObject({
      attested_by: text(250),
      title: text(250).optional(),
      attested_at: instant,
      text_version: text(100),
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
    })
    .optional()
    .meta({ description: 'CPSC Product Registry IDs, if known.' }),
  certificate_number: text(100).optional().meta({
    description: 'Your own number for the certificate. It’s printed in addition to the certificate ID.',
  }),
  logo: z
    .strictObject({ image, alt_text: text(250).optional() })
    .optional()
    .meta({ description: 'A logo for the certificate’s header, with a description for screen readers.' }),
  signature_block: z
    .strictObject({ name: text(250).optional(), title: text(250).optional() })
    .optional()
    .meta({
      description:
        'Adds lines for a handwritten signature and its date. By default, the name and title are those of the person who attests. A signature isn’t required and doesn’t replace the attestation.',
    }),
  supersedes: uuid.optional().meta({ description: 'The ID of the certificate that this certificate supersedes.' }),
  paper: z.enum(['letter', 'a4']).optional().meta({ description: 'The paper size. The default is US Letter.' }),
});

/** A schema for requests with a rule that needs a test. */
export const TestedRequestSchema = CertificateRequestSchema.safeExtend({
  testing_lab: z.strictObject({ ...Lab.shape, test_date: date }),
});

/** A request validated by {@link CertificateRequestSchema}. */
export type CertificateRequest = z.output<typeof CertificateRequestSchema>;
