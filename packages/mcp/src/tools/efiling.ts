import { efilingRequest, efilingResponse } from '@compliance/contract/efiling';
import type { z } from 'zod';
import { sourcesOf } from '../reference/certificate-sources.ts';
import { defineTool, provenance, provenanceLines, READ_ONLY, summaryLines } from './tool.ts';

const ORIGIN = sourcesOf(['ecfr-1110']);

/** Exports a certificate's data for eFiling. Nothing is issued, stored, or filed. */
export const efilingTool = defineTool({
  name: 'efiling',
  title: 'Export eFiling data',
  description:
    'Returns a certificate’s data for CPSC’s Product Registry (`registry_csv`) or FedEx (`fedex_reference`, `fedex_disclaim`). If a target’s ' +
    'data is incomplete, lists the missing fields instead of returning content. Citation codes come only from the list in `codes`, which ' +
    'the user supplies. Never invent codes, IDs, or other values. Show the user the notes, which list the facts that couldn’t be confirmed. ' +
    'Nothing is filed: the user uploads or sends the data.',
  input: efilingRequest,
  output: efilingResponse.extend(provenance),
  annotations: READ_ONLY,
  performsOperation: true,
  async run(request, { perform }) {
    const data = (await perform('entry.gcc.efiling', request)) as z.output<typeof efilingResponse>;
    return {
      data: { ...data, ...ORIGIN },
      text: [
        ...data.targets.flatMap(({ title, status, gaps, notes }) => [
          `${title}: ${status}`,
          ...summaryLines(gaps.map(({ path, message }) => `- Missing: ${path}: ${message}`)),
          ...summaryLines(notes.map(note => `- ${note}`)),
        ]),
        ...provenanceLines(ORIGIN),
      ].join('\n'),
    };
  },
});
