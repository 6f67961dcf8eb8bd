import * as z from 'zod';
import { efilingMessage } from '../../efiling-messages/efiling-messages.ts';
import type { CertificateRecord } from '../../record/certificate.ts';
import { variantRecords } from '../../record/variant-records.ts';
import type { GapMessage, MessageContent } from '../efiling-export.ts';
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
 * instead of a validation error. The product ID is required only if there's no certificate.
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
      description: 'A description of the intended use (at most 22 characters). Required for the code `980.000`.',
    }),
    product_id: text.optional().meta({ description: 'Your product ID. Required if there’s no certificate.' }),
    product_id_type: z
      .enum(PRODUCT_ID_TYPES as [string, ...string[]])
      .optional()
      .meta({
        description: 'The product ID type. Required if there’s no certificate.',
      }),
  })
  .meta({ description: 'The facts specific to a disclaim message.' });

/** Facts in a disclaim message. */
export type Disclaim = z.output<typeof DisclaimSchema>;

/**
 * Returns FedEx's disclaim message, which states that a product with a flagged HTS code doesn't need certificate data.
 * If the product has a certificate, the message can't have code `A`, because the certificate cites the rules that
 * regulate the product.
 *
 * @param record the certificate, or null for a product without one
 * @example fedexDisclaim(null, { code: 'A' }).gaps[0]?.path // 'disclaim.intended_use_code'
 */
export function fedexDisclaim(record: CertificateRecord | null, disclaim: Disclaim): MessageContent {
  const { code, intended_use_code: use, intended_use_description: description } = disclaim;
  const gaps: GapMessage[] = [];
  if (code === undefined) gaps.push({ path: 'disclaim.code', ...efilingMessage('disclaim_code_required') });
  if (code === 'A' && record)
    gaps.push({
      path: 'disclaim.code',
      ...efilingMessage('disclaim_code_contradicted', { citation: record.rules[0]!.citation }),
    });
  gaps.push(...intendedUseGaps(code, use));
  if (description !== undefined)
    gaps.push(
      ...tooLong(
        { path: 'disclaim.intended_use_description', message: 'description_too_long' },
        description,
        intendedUseDescription.maxLength,
      ),
    );
  else if (use === '980.000')
    gaps.push({ path: 'disclaim.intended_use_description', ...efilingMessage('description_required') });
  const products = productIds(record, disclaim);
  for (const { path, id } of products) {
    gaps.push(...productIdGaps(path, id.productId));
    if (id.productId && !id.productIdType)
      gaps.push({ path: 'disclaim.product_id_type', ...efilingMessage('product_id_type_required') });
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
      efilingMessage('intended_use_unchecked'),
      efilingMessage('base_code_245'),
      efilingMessage('disclaimer_responsibility'),
    ],
  };
}

function intendedUseGaps(code: Disclaim['code'], use: string | undefined): GapMessage[] {
  const path = 'disclaim.intended_use_code';
  if (use === undefined) return [{ path, ...efilingMessage('intended_use_required') }];
  if (!INTENDED_USE.test(use)) return [{ path, ...efilingMessage('intended_use_invalid') }];
  if (code === 'A' && /^130\.00[1-5]$/.test(use)) return [{ path, ...efilingMessage('intended_use_not_with_code_a') }];
  if (code === 'B' && use.startsWith('130.') && use !== '130.006')
    return [{ path, ...efilingMessage('intended_use_not_with_code_b') }];
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
