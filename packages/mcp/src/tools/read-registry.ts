import { registryRequest, registryResponse } from '@compliance/contract/efiling';
import type { z } from 'zod';
import { sourcesOf } from '../reference/certificate-sources.ts';
import { defineTool, provenance, provenanceLines, READ_ONLY, summaryLines } from './tool.ts';

const ORIGIN = sourcesOf(['ecfr-1110']);

/** Converts a Product Registry file to certificate requests. Nothing is issued or stored. */
export const readRegistryTool = defineTool({
  name: 'read_registry',
  title: 'Read a Product Registry file',
  description:
    'Converts each row of a CSV file for CPSC’s Product Registry to a certificate request for the `certify` tool. Citation codes are ' +
    'looked up only in `codes`, a list that the user supplies. Show the user the problems, and the values that were dropped or ' +
    'assumed. Ask the user for information that a Registry row doesn’t contain, such as the certifier, and never invent values.',
  input: registryRequest,
  output: registryResponse.extend(provenance),
  annotations: READ_ONLY,
  performsOperation: true,
  async run(request, { perform }) {
    const data = (await perform('entry.registry.read', request)) as z.output<typeof registryResponse>;
    return {
      data: { ...data, ...ORIGIN },
      text: [
        ...summaryLines(data.rows.map(lineFor)),
        ...summaryLines(
          data.rows.flatMap(({ line, dropped }) =>
            dropped.map(({ column, value, reason }) => `- Line ${line}, ${column}: “${value}” ${reason}.`),
          ),
        ),
        ...summaryLines(
          data.unknown_columns.map(
            ({ column, rows }) => `- ${column}: not a column in the known CSV format (rows with a value: ${rows}).`,
          ),
        ),
        ...summaryLines([...new Set(data.rows.flatMap(({ assumed }) => assumed.map(assumptionLine)))]),
        ...provenanceLines(ORIGIN),
      ].join('\n'),
    };
  },
});

type Row = z.output<typeof registryResponse>['rows'][number];

function lineFor({ line, request, problems }: Row): string {
  const name = (request?.product_info as { name?: string } | undefined)?.name;
  if (request) return `- Line ${line}: ${name ?? 'unnamed product'}`;
  return `- Line ${line}: ${problems.map(({ column, message }) => `${column} ${message}`).join('; ')}`;
}

const assumptionLine = ({ path, message }: Row['assumed'][number]) => `- Assumed: ${path} ${message}.`;
