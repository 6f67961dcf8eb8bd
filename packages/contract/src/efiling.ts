import { type CodeList, CodeListSchema, type Disclaim, DisclaimSchema, EFILING_TARGETS } from '@compliance/core/entry';
import { z } from 'zod';
import { anyCertificateRequest } from './certificate.ts';

// The published library includes its own copy of zod, so the schemas need a cast. See `certificate.ts`.
const codeList = (CodeListSchema as unknown as z.ZodType<CodeList, CodeList>).meta({
  id: 'CodeList',
  description:
    'Your list of eFiling citation codes by rule, with its date and source. The `registry_csv` target uses citation codes only from this ' +
    'list, and `entry.registry.read` uses the list to look up the rules for the codes in a CSV file.',
});
const disclaim = (DisclaimSchema as unknown as z.ZodType<Disclaim, Disclaim>).meta({
  id: 'Disclaim',
  description:
    'The values to include in the `fedex_disclaim` message. Without a certificate, `product_id` and `product_id_type` are required.',
});
const target = z.enum(EFILING_TARGETS).meta({
  id: 'EfilingTarget',
  description:
    'Target format for eFiling data. `registry_csv` is a CSV file for CPSC’s Product Registry; `fedex_reference` and ' +
    '`fedex_disclaim` are parts of a request to FedEx’s Ship API. `registry_api`, `fedex_full`, `easypost`, and ' +
    '`shipstation` aren’t available, because their schemas couldn’t be confirmed.',
});

/** A request for eFiling data. */
export const efilingRequest = z
  .strictObject({
    certificate: anyCertificateRequest.optional().meta({
      description:
        'The certificate request, as sent to `entry.gcc.generate` or `entry.cpc.generate`. Required for every target except `fedex_disclaim`.',
    }),
    targets: z.array(target).min(1).max(EFILING_TARGETS.length).optional().meta({
      description: 'The targets. Defaults to all targets, but `fedex_disclaim` is included only if `disclaim` is set.',
    }),
    codes: codeList.optional(),
    disclaim: disclaim.optional(),
  })
  .refine(({ certificate, disclaim }) => certificate !== undefined || disclaim !== undefined, {
    path: ['certificate'],
    message: 'Send a certificate request in `certificate`, the facts for a disclaim message in `disclaim`, or both.',
  })
  .meta({
    id: 'EfilingRequest',
    not: {
      allOf: (['certificate', 'disclaim'] as const).map(field => ({
        not: { properties: { [field]: {} }, required: [field] },
      })),
    },
  });

/** eFiling data for each target. */
export const efilingResponse = z
  .object({
    targets: z.array(
      z.object({
        target,
        title: z.string(),
        status: z.enum(['ready', 'incomplete', 'unavailable']).meta({
          description:
            '`ready`: `content` is complete. `incomplete`: `content` is null, and `gaps` lists the missing or invalid values. ' +
            '`unavailable`: the target’s schema couldn’t be confirmed.',
        }),
        media_type: z.string().nullable(),
        filename: z.string().nullable().meta({ description: 'Suggested filename.' }),
        content: z.string().nullable().meta({ description: 'Content of the file, as text.' }),
        gaps: z.array(z.object({ path: z.string(), message: z.string() })).meta({
          description:
            'Missing or invalid values. `path` is a field in `certificate`, a field in `disclaim`, or `codes`.',
        }),
        notes: z.array(z.string()).meta({
          description: 'Facts that couldn’t be confirmed, and parts of the certificate that `content` omits.',
        }),
      }),
    ),
  })
  .meta({ id: 'EfilingResponse' });

/** Maximum length of a Product Registry CSV file, in characters. */
const MAX_CSV_LENGTH = 1_000_000;

/**
 * Limits for a Product Registry CSV file: the number of rows, and the combined length, in characters, of the row
 * results in JSON format.
 */
export const REGISTRY_LIMITS = { maxRows: 1_000, maxCharacters: 10_000_000 } as const;

/** Maximum size of a request with a Product Registry CSV file, in bytes. */
export const MAX_REGISTRY_REQUEST_BYTES = 6 * 1024 * 1024;

/** A request to convert a Product Registry CSV file into certificate requests. */
export const registryRequest = z
  .strictObject({
    csv: z
      .string()
      .min(1)
      .max(MAX_CSV_LENGTH)
      .meta({
        description:
          `Content of a CSV file for CPSC's Product Registry, with a header row and up to ${REGISTRY_LIMITS.maxRows.toLocaleString('en-US')} ` +
          'data rows. The columns can be in any order. The results for all rows can total up to ' +
          `${REGISTRY_LIMITS.maxCharacters.toLocaleString('en-US')} characters of JSON.`,
      }),
    codes: codeList,
  })
  .meta({ id: 'RegistryRequest' });

/** The certificate requests from a Product Registry CSV file. */
export const registryResponse = z
  .object({
    rows: z.array(
      z.object({
        line: z.int().meta({ description: 'Line number where the row starts.' }),
        request: z
          .object({})
          .loose()
          .nullable()
          .meta({
            description:
              'Certificate request for `entry.gcc.generate` or, if `certificate_type` is `CPC`, for `entry.cpc.generate`. Add the ' +
              "certifier, the attestation, and other fields that a Registry row doesn't have. `null` if the row has problems.",
          }),
        problems: z.array(z.object({ column: z.string(), message: z.string() })).meta({
          description: 'Missing or invalid values that prevent the service from creating a request for the row.',
        }),
        dropped: z.array(z.object({ column: z.string(), value: z.string(), reason: z.string() })).meta({
          description: 'Values in the row that the request omits or represents differently.',
        }),
        assumed: z.array(z.object({ path: z.string(), message: z.string() })).meta({
          description: 'Request fields whose values are inferred from other columns.',
        }),
      }),
    ),
    unknown_columns: z.array(z.object({ column: z.string(), rows: z.int() })).meta({
      description:
        'Columns that aren’t part of the known CSV format, each with the number of rows that have a value in the column. ' +
        'The requests don’t include values from these columns.',
    }),
  })
  .meta({ id: 'RegistryResponse' });
