import { certificateLabel, labelRequest, labelResolution } from '@compliance/contract/certificate';
import { ApiError } from '../errors/api-error.ts';
import { numberInQuery } from '../schemas/query-number.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'entry.gcc.label',
  method: 'get',
  path: '/api/v1/entry/gcc/{id}/label',
  scope: 'entry',
  clientArguments: ['id'],
  summary: 'Create a certificate label',
  description:
    "Returns a label for a certificate in your account, with the certificate's identifier and a QR code that opens the certificate page. The " +
    "identifier of an imported product's certificate must be on the product, its carton, or the invoice (16 CFR 1110.9(c)). Print " +
    "the label at its actual size, without scaling. If the certificate isn't complete, the label starts with the certificate's status.",
  request: labelRequest.extend({
    dpi: numberInQuery(labelResolution)
      .default(203)
      .meta({ description: "The printer's resolution in dots per inch: 203 or 300." }),
  }),
  response: certificateLabel,
  errors: ['certificate_not_found', 'unavailable'],
  examples: [
    {
      name: 'a carton label for a Zebra printer',
      request: { id: '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60', file_type: 'zpl', size: 'carton', dpi: 203 },
    },
    { name: 'a PDF label', request: { id: '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60' } },
  ],
  async handler({ id, ...format }, { certificates, caller }) {
    if (!certificates) throw new ApiError('unavailable');
    return await certificates.label(id, format, caller);
  },
});
