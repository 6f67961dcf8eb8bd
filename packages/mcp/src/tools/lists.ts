import { listsRequest, listsResponse } from '@compliance/contract/lists';
import type { z } from 'zod';
import { defineTool, knownThrough, READ_ONLY, summaryLines } from './tool.ts';

/** Returns the Section 232 lists in force. */
export const listsTool = defineTool({
  name: 'lists',
  title: 'Get the Section 232 lists',
  description:
    'Returns the data set version and the Section 232 lists in force on a date, with their legal texts, listing counts, ' +
    'and sources. To get one list with its provisions, read the resource compliance://lists/{id}.',
  input: listsRequest,
  output: listsResponse,
  annotations: READ_ONLY,
  performsOperation: true,
  async run(request, { perform }) {
    const data = (await perform('tariff.lists', request)) as z.output<typeof listsResponse>;
    const { as_of, lists, latest_material, notice } = data;
    return {
      data,
      text: [
        `Section 232 lists in force on ${as_of}: ${lists.length}`,
        ...summaryLines(
          lists.map(({ id, title, note, listings }) => `- ${id}: ${title}, ${note}, listings: ${listings}`),
        ),
        `Latest official text: ${latest_material}`,
        ...(notice === null ? [] : [notice]),
        knownThrough(data),
      ].join('\n'),
    };
  },
});
