import type { CertificateRecord } from '../record/certificate.ts';
import { printedDate } from '../request/period.ts';
import { type DocumentContent, optional } from './content.ts';

/**
 * Returns the content of the tracking label sheet: the information that the permanent marks on a children's product and
 * its packaging must provide. Source: 15 U.S.C. 2063(a)(5)(A).
 *
 * @throws RangeError if the record isn't a Children's Product Certificate
 */
export function trackingLabelOf(record: CertificateRecord): DocumentContent {
  const { request, certifying_party: party } = record;
  if (request.certificate_type !== 'CPC')
    throw new RangeError('only a Children’s Product Certificate has a tracking label');
  const { product_info: product, manufacturer, tracking_label: label } = request;
  const labeler = party?.role === 'private_labeler' ? party.name : manufacturer.name;
  const run = [product.production_start, product.production_end].flatMap(date => date ?? []).map(printedDate);
  const identifiers = [product.model, product.sku, product.gtin].flatMap(each => each ?? []);
  return {
    id: record.id,
    language: request.language ?? null,
    title: 'Tracking label',
    subtitle: 'Consumer Product Safety Act, section 14(a)(5) · 15 U.S.C. 2063(a)(5)',
    product: product.name,
    reference: `Certificate ${request.certificate_number ?? record.id}`,
    logo: null,
    header: [
      { label: 'Certificate ID', value: record.id },
      { label: 'Product', value: product.name },
    ],
    notice: null,
    sections: [
      {
        heading: 'Information for the permanent marks',
        blocks: [
          {
            kind: 'fields',
            fields: [
              { label: 'Made by', value: label?.name ?? labeler },
              { label: 'Location', value: product.place_of_manufacture },
              { label: 'Date', value: run.length > 0 ? run.join(' to ') : printedDate(product.date_of_manufacture) },
              { label: 'Batch or run', value: label?.cohort ?? product.lot_number ?? null },
              ...optional('Identifiers', identifiers.length > 0 ? identifiers.join(', ') : undefined, false),
              ...optional('Other', label?.other, false),
            ],
          },
        ],
      },
      {
        heading: 'Mark placement',
        blocks: [
          {
            kind: 'paragraph',
            text: {
              message:
                'Place permanent, distinguishing marks on the product and on its packaging, to the extent practicable. The marks must let the manufacturer and the purchaser identify the maker or labeler, the place and date of production, and the batch or run.',
            },
          },
          {
            kind: 'paragraph',
            text: { message: 'This sheet isn’t a label, and we didn’t check the product’s marks.' },
          },
        ],
      },
    ],
    attestation: null,
  };
}
