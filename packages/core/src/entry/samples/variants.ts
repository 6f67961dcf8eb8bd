import type { CertificateRequest } from '../request/schema.ts';
import { completeRequest } from './requests.ts';

const SIZES = ['S', 'M', 'L', 'XL'];
const COLORS = [
  'Matte black',
  'Glacier white',
  'Signal red',
  'Storm blue',
  'Moss green',
  'Weiß-grün',
  '限定カラー',
  'Sand',
  'Coral',
  'Slate',
  'Lime',
  'Plum',
];

const { model: _, sku: __, gtin: ___, ...product } = completeRequest.product_info as CertificateRequest['product_info'];

/**
 * The complete sample request for a product family that has 48 variants and no identifier of its own. The table of
 * variants continues on a second page.
 */
export const familyRequest = {
  ...completeRequest,
  product_info: {
    ...product,
    variants: COLORS.flatMap((color, at) =>
      SIZES.map(size => ({
        name: `${color}, size ${size}`,
        sku: `RB-200-${at + 1}-${size}`,
        ...(at === 0 && size === 'S' && { gtin: '00812345678901' }),
      })),
    ),
  },
} as CertificateRequest;
