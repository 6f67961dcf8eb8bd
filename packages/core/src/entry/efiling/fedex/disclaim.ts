import * as z from 'zod';
import type { CertificateRecord } from '../../record/certificate.ts';
import { variantRecords } from '../../record/variant-records.ts';
import type { EfilingContent, EfilingGap } from '../efiling-export.ts';
import schema from './disclaim.schema.json' with { type: 'json' };
import {
  FEDEX_NOTES,
  type FedexProductId,
  fedexProductId,
  PRODUCT_ID_TYPES,
  productIdGaps,
  type RegulatoryDetail,
  shipmentRequest,
  tooLong,
} from './message.ts';

const { intendedUseCode, intendedUseDescription } = schema.$defs.disclaimMessageSet.properties;
const INTENDED_USE = new RegExp(intendedUseCode.pattern);
const text = z.string().min(1).max(200);

/**
 * Schema for the facts in a disclaim message. Every fact is optional, so that a missing fact is reported as a gap
 * instead of a validation error. The product ID is required only without a certificate.
 */
export const DisclaimSchema = z
  .strictObject({
    code: z.enum(['A', 'B']).optional().meta({
      description:
        'The disclaim code: `A` if CPSC doesn’t regulate the product, or `B` if CPSC’s guidance doesn’t require the data.',
    }),
    intended_use_code: text.optional().meta({
      description: 'CBP’s intended use code, such as `130.006`. Get the code from Appendix R of CBP’s ACE CATAIR.',
    }),
    intended_use_description: text.optional().meta({
      description: 'The intended use in at most 22 characters. Required for the code `980.000`.',
    }),
    product_id: text.optional().meta({ description: 'Your product ID. Required without a certificate.' }),
    product_id_type: z
      .enum(PRODUCT_ID_TYPES as [string, ...string[]])
      .optional()
      .meta({
        description: 'The type of the product ID. Required without a certificate.',
      }),
  })
  .meta({ description: 'The facts that only a disclaim message contains.' });

/** Facts in a disclaim message. */
export type Disclaim = z.output<typeof DisclaimSchema>;

/**
 * Returns FedEx's disclaim message, which states that a product with a flagged HTS code doesn't need certificate data. A certificate
 * cites the rules that regulate the product, so its message can't have code `A`.
 *
 * @param record the certificate, or null for a product without one
 * @example fedexDisclaim(null, { code: 'A' }).gaps[0]?.path // 'disclaim.intended_use_code'
 */
export function fedexDisclaim(record: CertificateRecord | null, disclaim: Disclaim): EfilingContent {
  const { code, intended_use_code: use, intended_use_description: description } = disclaim;
  const gaps: EfilingGap[] = [];
  if (code === undefined) gaps.push({ path: 'disclaim.code', message: 'Set the disclaim code to `A` or `B`' });
  if (code === 'A' && record)
    gaps.push({
      path: 'disclaim.code',
      message: `Code A states that CPSC doesn’t regulate the product, but the certificate cites ${record.rules[0]!.citation}`,
    });
  gaps.push(...intendedUseGaps(code, use));
  if (description !== undefined)
    gaps.push(
      ...tooLong('disclaim.intended_use_description', 'The description', description, intendedUseDescription.maxLength),
    );
  else if (use === '980.000')
    gaps.push({
      path: 'disclaim.intended_use_description',
      message: 'A description is required for the intended use code 980.000',
    });
  const products = productIds(record, disclaim);
  for (const { path, id } of products) {
    gaps.push(...productIdGaps(path, id.productId));
    if (id.productId && !id.productIdType)
      gaps.push({ path: 'disclaim.product_id_type', message: 'The type of the product ID is required' });
  }
  const disclaimMessageSet = {
    disclaimCode: code,
    intendedUseCode: use,
    ...(description !== undefined && { intendedUseDescription: description }),
  };
  const messages = products.map(
    ({ id }) => ({ regulationCode: 'CPSC', ...id, details: { disclaimMessageSet } }) as RegulatoryDetail,
  );
  return {
    content: gaps.length === 0 ? shipmentRequest(messages) : null,
    gaps,
    notes: [
      ...FEDEX_NOTES,
      'The intended use code is the one you entered. We checked only its format, its base code, and whether the disclaim code allows it. The definitions are in Appendix R of CBP’s ACE CATAIR, which we couldn’t read.',
      'We don’t accept the base code 245. The SDKs give 245.001 as an example of an intended use code, but FedEx’s documentation doesn’t list that base code.',
      'The certifier is responsible for the disclaimer. We didn’t check whether the product needs a certificate.',
    ],
  };
}

function intendedUseGaps(code: Disclaim['code'], use: string | undefined): EfilingGap[] {
  const path = 'disclaim.intended_use_code';
  if (use === undefined) return [{ path, message: 'An intended use code is required' }];
  if (!INTENDED_USE.test(use))
    return [
      {
        path,
        message:
          'The intended use code must have the format 130.006, with the base code 081, 090, 100, 130, 155, 940, 970, or 980',
      },
    ];
  if (code === 'A' && /^130\.00[1-5]$/.test(use))
    return [{ path, message: 'The codes 130.001 to 130.005 aren’t allowed with disclaim code A' }];
  if (code === 'B' && use.startsWith('130.') && use !== '130.006')
    return [{ path, message: 'With disclaim code B, the only code that starts with 130 is 130.006' }];
  return [];
}

/** Returns the product ID in the request or, if it isn't set, the IDs of the certificate's products. */
function productIds(
  record: CertificateRecord | null,
  { product_id, product_id_type }: Disclaim,
): readonly { path: string; id: Partial<FedexProductId> }[] {
  if (record === null || product_id !== undefined)
    return [
      {
        path: 'disclaim.product_id',
        id: {
          ...(product_id !== undefined && { productId: product_id }),
          ...(product_id_type !== undefined && { productIdType: product_id_type }),
        },
      },
    ];
  return variantRecords(record).map(product => ({ path: product.path, id: fedexProductId(product.record) ?? {} }));
}
