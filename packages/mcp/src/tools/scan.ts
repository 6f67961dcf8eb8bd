import { scanRequest, scanResponse } from '@compliance/contract/scan';
import { driftRules, pageRules, RULES_KNOWN_THROUGH } from '@compliance/core/pixel';
import { z } from 'zod';
import { defineTool, provenance, provenanceLines, summaryLines } from './tool.ts';

/** Maximum length of a page that's passed as an argument, in characters. */
const MAX_HTML = 2_000_000;

const shared = {
  name: 'scan',
  title: 'Scan a storefront page',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  performsOperation: true,
} as const;

const DESCRIPTION =
  'Checks a storefront page for legacy, duplicate, broken, and data-leaking Meta Pixel, GA4, and Google Tag Manager code. The scan ' +
  "is static and doesn't run the page's code. Returns a score from 0 to 100, findings with their locations and fixes, and the " +
  'content that the scan could not read. To learn the reasons behind a finding, call `explain` with its `rule_id`.';

/** Scans a page that the service fetches. */
export const scanTool = defineTool({
  ...shared,
  description: DESCRIPTION,
  input: scanRequest,
  output: scanResponse.extend(provenance),
  async run(request, { perform }) {
    return resultOf((await perform('pixel.scan', request)) as z.output<typeof scanResponse>);
  },
});

const localInput = scanRequest.extend({
  html: z.string().max(MAX_HTML, `Send at most ${MAX_HTML} characters of HTML.`).optional().meta({
    description:
      'HTML of the page at `url`, to scan the page without fetching it. External scripts aren’t fetched or scanned.',
  }),
});
const localOutput = scanResponse.extend({
  score: z
    .int()
    .min(0)
    .max(100)
    .nullable()
    .meta({ description: "100 minus the deductions, or null if the page wasn't scored." }),
  not_scored: z.string().nullable().meta({ description: "Reason that the page wasn't scored, or null." }),
});
type Scanned = z.output<typeof localOutput>;

/** Scans a page that this process fetches or that's passed as HTML. */
export const localScanTool = defineTool({
  ...shared,
  description: `${DESCRIPTION} To scan a page that you already have, pass its HTML in \`html\`.`,
  input: localInput,
  output: localOutput.extend(provenance),
  async run(request, { perform }) {
    return resultOf((await perform('pixel.scan', request)) as Scanned);
  },
});

const sourcesByRule = new Map([...pageRules, ...driftRules].map(({ meta }) => [meta.id, meta.sources]));

/** Creates the tool result, which includes the sources of the rules that reported findings. */
function resultOf(scanned: Scanned) {
  const reported = [...scanned.findings, ...(scanned.drift?.findings ?? [])];
  const sources = new Set(reported.flatMap(({ rule_id }) => sourcesByRule.get(rule_id) ?? []));
  const data = { ...scanned, known_through: RULES_KNOWN_THROUGH, sources: [...sources] };
  return { data, text: [...linesFor(scanned), ...provenanceLines(data)].join('\n') };
}

function linesFor({ score, not_scored, severity_counts, findings, scanned, notes }: Scanned): string[] {
  const { error, warn, info } = severity_counts;
  return [
    score === null ? `${scanned.url} wasn't scored: ${not_scored}` : `${scanned.url}: score ${score} of 100`,
    `Findings by severity: error ${error}, warn ${warn}, info ${info}`,
    ...summaryLines(
      findings.map(({ severity, rule_id, message, where, fix }) => {
        return `- ${severity} ${rule_id}: ${message} (${where.source}, line ${where.line}) Fix: ${fix}`;
      }),
    ),
    ...(scanned.truncated || notes.length > 0
      ? [`Content that wasn't read: ${notes.length || 'part of the page'}`]
      : []),
  ];
}
