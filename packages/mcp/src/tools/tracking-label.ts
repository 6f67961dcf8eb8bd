import { trackingLabelRequest, trackingLabelSheet } from '@compliance/contract/certificate';
import type { z } from 'zod';
import { sourcesOf } from '../reference/certificate-sources.ts';
import { defineTool, provenance, provenanceLines, READ_ONLY } from './tool.ts';

const PART_1110 = sourcesOf(['ecfr-1110']);
const ORIGIN = { ...PART_1110, sources: ['15 U.S.C. 2063(a)(5)', ...PART_1110.sources] };

/** Creates the tracking label sheet for a stored Children's Product Certificate. */
export const trackingLabelTool = defineTool({
  name: 'tracking_label',
  title: 'Create a tracking label sheet',
  description:
    'Creates a PDF sheet for a Children’s Product Certificate that `certify` issued. The sheet lists the information that the permanent ' +
    'marks on the product and its packaging must contain (15 U.S.C. 2063(a)(5)). The sheet itself isn’t a label.',
  input: trackingLabelRequest,
  output: trackingLabelSheet.extend(provenance),
  annotations: READ_ONLY,
  performsOperation: true,
  async run(request, { perform }) {
    const data = (await perform('entry.cpc.tracking_label', request)) as z.output<typeof trackingLabelSheet>;
    const uri = `compliance://certificates/${data.gcc_id}/tracking-label.pdf`;
    return {
      data: { ...data, ...ORIGIN },
      text: [
        `Created the tracking label sheet for certificate ${data.gcc_id} (${data.status}). The service doesn't check whether the product has the required marks.`,
        ...provenanceLines(ORIGIN),
      ].join('\n'),
      attachments: [{ type: 'resource', resource: { uri, mimeType: 'application/pdf', blob: data.content } }],
    };
  },
});
