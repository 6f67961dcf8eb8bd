import { dueTests, dueTestsRequest } from '@compliance/contract/certificate';
import type { z } from 'zod';
import { sourcesOf } from '../reference/certificate-sources.ts';
import { defineTool, provenance, provenanceLines, READ_ONLY, summaryLines } from './tool.ts';

const ORIGIN = sourcesOf(['ecfr-1107']);

/** Lists the periodic tests that are due for stored certificates. */
export const dueTool = defineTool({
  name: 'due',
  title: 'List periodic tests that are due',
  description:
    'Lists the account’s Children’s Product Certificates for which a periodic third-party test is due or overdue (16 CFR 1107.21). If ' +
    '`next_cursor` isn’t null, there are more results: to get the next page, call the tool again with `next_cursor` as `cursor`.',
  input: dueTestsRequest,
  output: dueTests.extend(provenance),
  annotations: READ_ONLY,
  performsOperation: true,
  async run({ cursor, ...request }, { perform }) {
    const data = (await perform('entry.gcc.due', { ...request, ...(cursor !== undefined && { cursor }) })) as z.output<
      typeof dueTests
    >;
    const lines = data.certificates.flatMap(({ gcc_id, product, tests }) =>
      tests.map(
        ({ citation, tested, due, overdue }) =>
          `- ${product.name} (${gcc_id}), ${citation}: ${overdue ? 'overdue since' : 'due by'} ${due}, last tested ${tested}`,
      ),
    );
    return {
      data: { ...data, ...ORIGIN },
      text: [
        lines.length === 0 ? `No tests on this page are due by ${data.until}.` : `Tests that are due by ${data.until}:`,
        ...summaryLines(lines),
        ...(data.next_cursor === null
          ? []
          : [`More certificates are available on the next page. Next cursor: ${data.next_cursor}`]),
        'If a product changes materially, it must be retested before the due date.',
        ...provenanceLines(ORIGIN),
      ].join('\n'),
    };
  },
});
