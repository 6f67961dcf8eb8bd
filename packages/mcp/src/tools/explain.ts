import { easternDate } from '@compliance/core/tariff';
import { z } from 'zod';
import { SECTIONS } from '../reference/index.ts';
import { currentThrough, defineTool, invalidArguments, provenance, READ_ONLY } from './tool.ts';

const UNKNOWN =
  'Unknown ID. Use a finding’s `rule_id`, a CPSC rule such as `16 CFR 1203`, a tariff list ID, or an error code. ' +
  'For lists of IDs, read compliance://rules/pixel, compliance://rules/certificate, compliance://lists, and compliance://errors.';

/** Explains a rule, a list, or an error code. */
export const explainTool = defineTool({
  name: 'explain',
  title: 'Explain a finding, rule, list, or error',
  description:
    'Explains the rule behind a scan finding (meaning, importance, fix, and sources), a CPSC rule that certificates ' +
    'cite, a Section 232 list, or an error code.',
  input: z.strictObject({
    id: z.string().min(1).max(200).meta({
      description:
        "One of the following: a finding's `rule_id` (such as `gtm_not_in_head`), a CPSC rule (`16 CFR 1203`), a list (`steel-16n`), or an error code (`rate_limited`).",
    }),
  }),
  output: z.object({
    kind: z.enum(['pixel_rule', 'certificate_rule', 'tariff_list', 'error_code']),
    id: z.string(),
    title: z.string(),
    uri: z.string().meta({ description: 'URI of the resource with the same text.' }),
    markdown: z.string(),
    ...provenance,
  }),
  annotations: READ_ONLY,
  performsOperation: false,
  run({ id }, { now, dataset }) {
    const context = { dataset, today: easternDate(now) };
    const [page] = SECTIONS.flatMap(section => section.page(id, context) ?? []);
    if (!page) throw invalidArguments([{ path: 'id', message: UNKNOWN }]);
    return { data: page, text: `${page.markdown}\n${currentThrough(page)}\n` };
  },
});
