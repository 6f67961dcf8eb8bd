import { efilingMessage } from '../../efiling-messages/efiling-messages.ts';
import type { CertificateRecord } from '../../record/certificate.ts';
import { draftMessages } from '../../record/status.ts';
import { variantRecords } from '../../record/variant-records.ts';
import { primaryId } from '../../registry/row.ts';
import type { GapMessage, MessageContent } from '../efiling-export.ts';
import {
  FEDEX_NOTES,
  fedexProductId,
  productIdGaps,
  type RegulatoryDetail,
  shipmentRequest,
  tooLong,
} from './message.ts';
import schema from './reference.schema.json' with { type: 'json' };

const { productVersion, certifierId, registryProductId } = schema.$defs.referenceMessageSet.properties;

/**
 * Returns FedEx's reference message for a certificate in CPSC's Product Registry. For each product variant, the message
 * contains the certifier ID, product ID, and version ID.
 *
 * @example fedexReference(record).gaps[0]?.path // 'efiling.certifier_id'
 */
export function fedexReference(record: CertificateRecord): MessageContent {
  const { certifier_id, version_id, product_id } = record.request.efiling ?? {};
  const gaps: GapMessage[] = [
    ...(certifier_id
      ? tooLong({ path: 'efiling.certifier_id', message: 'certifier_id_too_long' }, certifier_id, certifierId.maxLength)
      : [{ path: 'efiling.certifier_id', ...efilingMessage('certifier_id_required') }]),
    ...(version_id
      ? tooLong({ path: 'efiling.version_id', message: 'version_id_too_long' }, version_id, productVersion.maxLength)
      : [{ path: 'efiling.version_id', ...efilingMessage('version_id_required') }]),
  ];
  const products = variantRecords(record);
  if (product_id !== undefined && products.length > 1)
    gaps.push({ path: 'efiling.product_id', ...efilingMessage('product_id_with_variants') });
  const messages = products.flatMap(({ path, record: product }): RegulatoryDetail[] => {
    const id = fedexProductId(product);
    const [registered] = primaryId(product);
    const idPath = product_id === undefined && products.length > 1 ? path : 'efiling.product_id';
    gaps.push(...productIdGaps(idPath, id?.productId));
    if (registered !== undefined)
      gaps.push(
        ...tooLong({ path: idPath, message: 'registry_product_id_too_long' }, registered, registryProductId.maxLength),
      );
    if (id === null || certifier_id === undefined || version_id === undefined) return [];
    const referenceMessageSet = {
      productVersion: version_id,
      certifierId: certifier_id,
      ...(registered !== id.productId && { registryProductId: registered }),
    };
    return [{ regulationCode: 'CPSC', ...id, details: { referenceMessageSet } }];
  });
  return {
    content: gaps.length === 0 ? shipmentRequest(messages) : null,
    gaps,
    notes: [
      ...draftMessages(record),
      ...FEDEX_NOTES,
      efilingMessage('fedex_certifier_field'),
      efilingMessage('registration_unchecked'),
    ],
  };
}
