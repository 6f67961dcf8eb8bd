import type { CertificateRecord } from '../../record/certificate.ts';
import { draftWarning } from '../../record/status.ts';
import { variantRecords } from '../../record/variant-records.ts';
import { primaryId } from '../../registry/row.ts';
import type { EfilingContent, EfilingGap } from '../efiling-export.ts';
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
 * Returns FedEx's reference message for a certificate that's in CPSC's Product Registry: the certifier ID, product ID, and
 * version ID, for each variant of the product.
 *
 * @example fedexReference(record).gaps[0]?.path // 'efiling.certifier_id'
 */
export function fedexReference(record: CertificateRecord): EfilingContent {
  const { certifier_id, version_id, product_id } = record.request.efiling ?? {};
  const gaps: EfilingGap[] = [
    ...(certifier_id
      ? tooLong('efiling.certifier_id', 'The certifier ID', certifier_id, certifierId.maxLength)
      : [{ path: 'efiling.certifier_id', message: 'The certifier ID in the Product Registry is required' }]),
    ...(version_id
      ? tooLong('efiling.version_id', 'The version ID', version_id, productVersion.maxLength)
      : [{ path: 'efiling.version_id', message: 'The version ID in the Product Registry is required' }]),
  ];
  const products = variantRecords(record);
  if (product_id !== undefined && products.length > 1)
    gaps.push({
      path: 'efiling.product_id',
      message: 'One product ID can’t identify several variants. Remove it to use each variant’s own ID',
    });
  const messages = products.flatMap(({ path, record: product }): RegulatoryDetail[] => {
    const id = fedexProductId(product);
    const [registered] = primaryId(product);
    const idPath = product_id === undefined && products.length > 1 ? path : 'efiling.product_id';
    gaps.push(...productIdGaps(idPath, id?.productId));
    if (registered !== undefined)
      gaps.push(...tooLong(idPath, 'The product ID in the Product Registry', registered, registryProductId.maxLength));
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
      ...draftWarning(record),
      ...FEDEX_NOTES,
      'FedEx’s documentation names the field for the certifier ID `certificateId`, but the SDKs name it `certifierId`. The message uses `certifierId`.',
      'We didn’t check whether the certificate is in the Product Registry. Register it before you ship.',
    ],
  };
}
