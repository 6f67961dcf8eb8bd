import { productVariants } from '../request/variants.ts';
import type { CertificateRecord } from './certificate.ts';

/** A record for one of the products on a certificate. `path` is the product's field in the certificate's request. */
export interface VariantRecord {
  readonly path: string;
  readonly record: CertificateRecord;
}

/**
 * Returns a record for each variant on a certificate, or only the certificate's own record if it has no variants. Each
 * variant's name is appended to the name of the product family. A variant doesn't inherit the family's SKU, GTIN, or
 * UPC, because each of these identifies a single product.
 *
 * @example variantRecords(record).map(({ record }) => record.request.product_info.sku) // ['RB-200-S', 'RB-200-M']
 */
export function variantRecords(record: CertificateRecord): readonly VariantRecord[] {
  const { variants, sku: _, gtin: __, upc: ___, ...family } = record.request.product_info;
  if (!variants) return [{ path: 'product_info', record }];
  return productVariants(record.request.product_info).map(([path, { name, ...identifiers }]) => {
    const product_info = { ...family, ...identifiers, name: name ? `${family.name}, ${name}` : family.name };
    return { path, record: { ...record, request: { ...record.request, product_info } } };
  });
}
