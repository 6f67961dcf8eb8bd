import { trackingLabelRequest, trackingLabelSheet } from '@compliance/contract/certificate';
import { ApiError } from '../errors/api-error.ts';
import { defineOperation } from './operation.ts';

export default defineOperation({
  id: 'entry.cpc.tracking_label',
  method: 'get',
  path: '/api/v1/entry/cpc/{id}/tracking-label',
  scope: 'entry',
  clientArguments: ['id'],
  summary: "Create a tracking label sheet for a children's product",
  description:
    "Returns a tracking label sheet as a PDF for a Children's Product Certificate in your account. The sheet lists the information that the permanent, " +
    'distinguishing marks on the product and its packaging must contain (15 U.S.C. 2063(a)(5)). The sheet itself isn’t a label.',
  request: trackingLabelRequest,
  response: trackingLabelSheet,
  errors: ['certificate_not_found', 'unavailable'],
  examples: [{ name: 'a tracking label sheet', request: { id: '3f0c8a52-6b1d-4e0f-9c77-2a5d1e8b4f60' } }],
  async handler({ id }, { certificates, caller }) {
    if (!certificates) throw new ApiError('unavailable');
    return await certificates.trackingLabel(id, caller);
  },
});
