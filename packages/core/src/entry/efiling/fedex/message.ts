import { type EfilingMessage, type EfilingMessageId, efilingMessage } from '../../efiling-messages/efiling-messages.ts';
import type { CertificateRecord } from '../../record/certificate.ts';
import { primaryId } from '../../registry/row.ts';
import type { GapMessage } from '../efiling-export.ts';
import schema from './reference.schema.json' with { type: 'json' };

/** Product ID types in FedEx's Ship API. */
export const PRODUCT_ID_TYPES = schema.$defs.regulatoryDetail.properties.productIdType.enum;

const MAX_PRODUCT_ID = schema.$defs.regulatoryDetail.properties.productId.maxLength;

/** A product ID in FedEx's Ship API, with its type. */
export interface FedexProductId {
  readonly productId: string;
  readonly productIdType: string;
}

/** A message for FedEx: the CPSC entry for one commodity in a shipment. */
export interface RegulatoryDetail extends FedexProductId {
  readonly regulationCode: 'CPSC';
  readonly details: object;
}

/** Notes that apply to every message for FedEx. */
export const FEDEX_NOTES: readonly EfilingMessage[] = [
  efilingMessage('fedex_sources'),
  efilingMessage('fedex_details_type'),
  efilingMessage('fedex_add_values'),
];

/**
 * Returns the part of a FedEx Ship API request that contains the messages, as JSON with one commodity per message.
 *
 * @example shipmentRequest([{ regulationCode: 'CPSC', … }]) // '{\n  "requestedShipment": …'
 */
export function shipmentRequest(messages: readonly RegulatoryDetail[]): string {
  const commodities = messages.map(message => ({ regulatoryDetails: [message] }));
  return `${JSON.stringify({ requestedShipment: { customsClearanceDetail: { commodities } } }, null, 2)}\n`;
}

/** Returns a product's ID and ID type for FedEx, or null if the product has no ID. */
export function fedexProductId(record: CertificateRecord): FedexProductId | null {
  const { sku, gtin, upc } = record.request.product_info;
  const [registered] = primaryId(record);
  const [productIdType, productId] =
    (
      [
        ['SKU', sku],
        ['GTIN', gtin],
        ['UPC', upc],
        ['OTHER', registered],
      ] as const
    ).find(([, id]) => id) ?? [];
  return productId === undefined ? null : { productId, productIdType: productIdType! };
}

/** Returns an array with one gap if a product ID is missing or too long, or an empty array otherwise. */
export function productIdGaps(path: string, productId: string | undefined): GapMessage[] {
  if (!productId) return [{ path, ...efilingMessage('product_id_required') }];
  return tooLong({ path, message: 'product_id_too_long' }, productId, MAX_PRODUCT_ID);
}

/** Returns an array with one gap if a value has more characters than FedEx accepts, or an empty array otherwise. */
export function tooLong(
  { path, message }: { readonly path: string; readonly message: EfilingMessageId },
  value: string,
  limit: number,
): GapMessage[] {
  return [...value].length > limit ? [{ path, ...efilingMessage(message, { limit: `${limit}` }) }] : [];
}
