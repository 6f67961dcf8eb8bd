import { assessArticle, assessment } from '@compliance/contract/assess';
import { z } from 'zod';
import { defineTool, knownThrough, READ_ONLY, summaryLines } from './tool.ts';

const output = z.object(assessment);
type Assessed = z.output<typeof output>;

/** Assesses the Section 232 duties on an article. */
export const assessTool = defineTool({
  name: 'assess',
  title: 'Assess the duties on an article',
  description:
    'Computes the Section 232 duties on one article from its HTS code, country of origin, entry date, and known facts, with the ' +
    'Chapter 99 headings to file, the reasoning, and citations. Never assumes a fact: if a missing fact would change the result, ' +
    '`outcomes` lists every possible result and `missing` names the facts to ask for.',
  input: assessArticle,
  output,
  annotations: READ_ONLY,
  performsOperation: true,
  async run(article, { perform }) {
    const data = (await perform('tariff.assess', article)) as Assessed;
    const { data_set, known_through, caveats, not_computed } = data;
    return {
      data,
      text: [
        `${data.normalized} from ${data.origin}, entered on ${data.as_of}:`,
        ...(data.duties === null ? openLines(data) : data.duties.length === 0 ? ['No Section 232 duty applies.'] : []),
        ...summaryLines((data.duties ?? []).map(dutyLine)),
        ...(data.total_232 === null ? [] : [`Total Section 232 duty: $${data.total_232}`]),
        ...caveats.map(({ text }) => `Note: ${text}`),
        `Not included: ${not_computed.join(', ')}.`,
        knownThrough({ ...data_set, known_through }),
      ].join('\n'),
    };
  },
});

function dutyLine({ heading, program, rate_pct, amount, citation }: NonNullable<Assessed['duties']>[number]): string {
  const rate = rate_pct === null ? 'rate not stated in the sources' : `${rate_pct}%`;
  const sum = amount === null ? 'amount unknown' : `$${amount}`;
  return `- ${program}, heading ${heading ?? 'not published'}: ${rate}, ${sum}. Source: ${citation}`;
}

function openLines({ missing, outcomes, total_232_range }: Assessed): string[] {
  const range = total_232_range ? `, from $${total_232_range.min} to $${total_232_range.max}` : '';
  return [
    `Possible results: ${outcomes.length}${range}. Facts that determine the result:`,
    ...summaryLines(
      missing.map(({ fact, values }) => `- ${fact}${values.length > 0 ? ` (one of ${values.join(', ')})` : ''}`),
    ),
  ];
}
