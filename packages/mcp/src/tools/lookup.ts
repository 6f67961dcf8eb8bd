import { lookupRequest, lookupResponse } from '@compliance/contract/lookup';
import type { z } from 'zod';
import { defineTool, knownThrough, READ_ONLY, summaryLines } from './tool.ts';

type Result = z.output<typeof lookupResponse>['results'][number];

/** Looks up HTS codes in the Section 232 lists. */
export const lookupTool = defineTool({
  name: 'lookup',
  title: 'Look up HTS codes',
  description:
    'Checks whether HTS codes are covered by Section 232 tariffs (steel, aluminum, copper, autos, trucks, timber, and other ' +
    'programs) on a date. Returns a status for each code; the listings that cover it, with their rates, effective dates, and legal ' +
    'citations; and the date through which the lists are current. With `efiling`, also reports whether CPSC flags the codes. Products ' +
    'with flagged codes might need a certificate. Use `assess` to compute the duty on an article.',
  input: lookupRequest,
  output: lookupResponse,
  annotations: READ_ONLY,
  performsOperation: true,
  async run(request, { perform }) {
    const data = (await perform('tariff.hts.lookup', request)) as z.output<typeof lookupResponse>;
    const { results, list } = data;
    const notice = list.notice === null ? [] : [list.notice];
    return {
      data,
      text: [
        `Section 232 on ${list.as_of}:`,
        ...summaryLines(results.map(lineFor)),
        ...notice,
        list.not_included,
        knownThrough(list),
      ].join('\n'),
    };
  },
});

function lineFor({ code, status, message, matches, efiling }: Result): string {
  const citations = [...new Set(matches.map(({ citation }) => citation))].slice(0, 3);
  const sources = citations.length > 0 ? ` Sources: ${citations.join('; ')}` : '';
  return `- ${code}: ${status}. ${message}${sources}${efiling ? ` ${efiling.message}` : ''}`;
}
