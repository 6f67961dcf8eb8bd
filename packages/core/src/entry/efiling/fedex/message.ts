import type { CertificateRecord } from '../../record/certificate.ts';
import { primaryId } from '../../registry/row.ts';
import type { EfilingGap } from '../efiling-export.ts';
import schema from './reference.schema.json' with { type: 'json' };

/** Types of product IDs in FedEx's Ship API. */
export const PRODUCT_ID_TYPES = schema.$defs.regulatoryDetail.properties.productIdType.enum;

const MAX_PRODUCT_ID = schema.$defs.regulatoryDetail.properties.productId.maxLength;

/** A product ID in FedEx's Ship API, with its type. */
export interface FedexProductId {
  readonly productId: string;
  readonly productIdType: string;
}

/** A message for FedEx: the CPSC entry for one commodity of a shipment. */
export interface RegulatoryDetail extends FedexProductId {
  readonly regulationCode: 'CPSC';
  readonly details: object;
}

/** Notes that apply to every message for FedEx. */
export const FEDEX_NOTES: readonly string[] = [
  'On 2026-11-26, we took the field names and lengths from public SDKs for FedEx’s Ship API and from a Spanish copy of FedEx’s documentation. We couldn’t read FedEx’s current OpenAPI document.',
  'FedEx’s documentation describes `details` as an array, but the SDKs define it as an object, and the message uses an object.',
  'Add these values to the commodity in your shipment request. The message contains only this part of the request.',
];

/**
 * Returns the part of a request to FedEx's Ship API that contains the messages, as JSON with one commodity for each message.
 *
 * @example shipmentRequest([{ regulationCode: 'CPSC', … }]) // '{\n  "requestedShipment": …'
 */
export function shipmentRequest(messages: readonly RegulatoryDetail[]): string {
  const commodities = messages.map(message => ({ regulatoryDetails: [message] }));
  return `${JSON.stringify({ requestedShipment: { customsClearanceDetail: { commodities } } }, null, 2)}\n`;
}

/** Returns a product's ID and its type for FedEx, or null if the product has no ID. */
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

/** Returns a gap if a product ID is missing or too long, or an empty array. */
export function productIdGaps(path: string, productId: string | undefined): EfilingGap[] {
  if (!productId) return [{ path, message: 'A product ID is required' }];
  return tooLong(path, 'The product ID', productId, MAX_PRODUCT_ID);
}

/** Returns a gap if a value has more characters than FedEx accepts, or an empty array. */
export function tooLong(path: string, name: string, value: string, limit: number): EfilingGap[] {
  return [...value].length > limit ? [{ path, message: `${name} can have at most ${limit} characters` }] : [];
}
