import { certificateLabel, labelRequest } from '@compliance/contract/certificate';
import type { z } from 'zod';
import { sourcesOf } from '../reference/certificate-sources.ts';
import { defineTool, provenance, provenanceLines, READ_ONLY } from './tool.ts';

const MEDIA_TYPES = { pdf: 'application/pdf', svg: 'image/svg+xml', zpl: 'text/plain' } as const;

const ORIGIN = sourcesOf(['ecfr-1110']);

/** Creates a label for a stored certificate. */
export const labelTool = defineTool({
  name: 'label',
  title: 'Create a certificate label',
  description:
    'Creates a product or carton label with the identifier and QR code of a certificate that `certify` issued. The ' +
    'identifier of an imported product’s certificate must be on the product, its carton, or the invoice (16 CFR 1110.9(c)). The ' +
    'label must be printed at its actual size.',
  input: labelRequest,
  output: certificateLabel.extend(provenance),
  annotations: READ_ONLY,
  performsOperation: true,
  async run(request, { perform }) {
    const data = (await perform('entry.gcc.label', request)) as z.output<typeof certificateLabel>;
    const { gcc_id, status, file_type, size, dpi, encoding, content } = data;
    const uri = `compliance://certificates/${gcc_id}/label-${size}-${dpi}.${file_type}`;
    const resource = {
      uri,
      mimeType: MEDIA_TYPES[file_type],
      ...(encoding === 'utf-8' ? { text: content } : { blob: content }),
    };
    return {
      data: { ...data, ...ORIGIN },
      text: [
        `Created a ${size} label for certificate ${gcc_id} (${status}), for a printer with ${dpi} dots per inch.`,
        'Print the label at its actual size, without scaling.',
        ...(status === 'complete'
          ? []
          : [`The label is marked ${status.toUpperCase()}. Don't put the label on products.`]),
        ...provenanceLines(ORIGIN),
      ].join('\n'),
      attachments: [{ type: 'resource', resource }],
    };
  },
});
