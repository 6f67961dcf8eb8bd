import { styleText } from 'node:util';
import {
  type AssessedDuty,
  type AssessFacts,
  type Assessment,
  type Assumption,
  type MissingFact,
  programName,
  type Step,
} from '@compliance/core/tariff';
import { sanitizeForTerminal, table } from './print.ts';

const BASE: Record<string, (duty: AssessedDuty) => string> = {
  full_customs_value: () => 'customs value',
  metal_content_value: ({ program }) => `${programName(program)} content`,
  copper_content_value: () => 'copper content',
  non_us_content_value: () => 'non-US content',
};

/** Maximum number of full codes to suggest for a code that is too short. */
const MAX_CODES = 12;

/**
 * Formats an assessment: the duties with the reasoning, or, if facts are missing, every possible result and the facts
 * that determine which result applies.
 */
export function assessmentReport(assessment: Assessment, facts: AssessFacts): string {
  const { normalized, origin, as_of, duties } = assessment;
  return [
    `${styleText('bold', normalized)} from ${origin}, entered ${as_of}`,
    '',
    ...(duties === null ? possibleResults(assessment) : decidedDuties(assessment, duties, facts)),
    ...missingFacts(assessment.missing),
    `Not computed: ${assessment.not_computed.join(', ')}.`,
    ...assessment.caveats.map(({ text }) => styleText('yellow', `Note: ${text}`)),
    styleText(
      'dim',
      `Section 232 lists, version ${assessment.data_set.version}, current through ${assessment.known_through}.`,
    ),
    styleText('dim', 'Not legal or customs advice.'),
  ].join('\n');
}

function decidedDuties(assessment: Assessment, duties: readonly AssessedDuty[], facts: AssessFacts): string[] {
  return [
    ...(duties.length === 0 ? ['No Section 232 duty.', ''] : [dutyTable(duties), '']),
    ...duties.flatMap(duty => [...reasoning(duty), '']),
    ...assessment.not_owed.flatMap(step => [`Not owed: ${step.text}`, citation(step.citation), '']),
    ...totals(assessment, duties, facts),
  ];
}

function dutyTable(duties: readonly AssessedDuty[]): string {
  const rows = duties.map(duty => [
    styleText('bold', duty.heading ?? 'not published'),
    programName(duty.program),
    rateOf(duty),
    baseOf(duty),
    money(duty.amount),
  ]);
  return table(['Heading', 'Program', 'Rate', 'Base', 'Duty'], [16, 18, 22, 30], rows);
}

function rateOf({ rate_pct, includes_column1 }: AssessedDuty): string {
  if (rate_pct === null) return 'not stated';
  return `${rate_pct}%${includes_column1 ? ' with column 1' : ''}`;
}

function baseOf(duty: AssessedDuty): string {
  const amount = duty.base.amount === null ? '' : ` ${money(duty.base.amount)}`;
  return `${BASE[duty.base.kind]!(duty)}${amount}`;
}

/**
 * Lists the reasoning steps that lead to a duty. If consecutive steps share a citation, cites it only after the last of
 * these steps.
 */
function reasoning({ heading, steps, filed }: AssessedDuty): string[] {
  const lines = steps.flatMap(({ text, citation: source }: Step, index) => [
    `  ${text}`,
    ...(steps[index + 1]?.citation === source ? [] : [citation(source)]),
  ]);
  const filing = filed
    ? [
        `  Report a duty rate of ${filed.rate_pct}% under ${filed.heading} and ${filed.classification_rate_pct}% under the article's HTS classification (chapters 1 to 97).`,
        citation(filed.citation),
      ]
    : [];
  return [`Why ${heading ?? 'this duty'}`, ...lines, ...filing];
}

function citation(text: string): string {
  return styleText('dim', `    ${text}`);
}

function totals(assessment: Assessment, duties: readonly AssessedDuty[], facts: AssessFacts): string[] {
  const { total_232, combined_column1_and_232: combined, total, total_rate_pct } = assessment;
  const isIncluded = duties.some(duty => duty.includes_column1);
  const rows = [
    ['Section 232', money(total_232)],
    [isIncluded ? 'With the column 1 duty (included in the rate)' : 'With the column 1 duty', money(combined)],
    ...(facts.other_duties?.length
      ? [[`With declared duties (${facts.other_duties.map(declared).join(', ')})`, money(total)]]
      : []),
    ...(total_rate_pct === null ? [] : [['Total (% of customs value)', `${total_rate_pct}%`]]),
  ];
  const width = Math.max(...rows.map(([label]) => label!.length)) + 2;
  return [...rows.map(([label, amount]) => `${label!.padEnd(width)}${styleText('bold', amount!)}`), ''];
}

function declared({ program, rate_pct, amount }: NonNullable<AssessFacts['other_duties']>[number]): string {
  return `${sanitizeForTerminal(program, 40)} ${amount == null ? `${rate_pct ?? '?'}%` : money(Number(amount))}`;
}

/** Lists every possible result with its duties and assumptions. */
function possibleResults({ outcomes, total_232_range: range }: Assessment): string[] {
  const between = range
    ? ` The Section 232 duty is ${range.min === range.max ? money(range.min) : `${money(range.min)} to ${money(range.max)}`}.`
    : '';
  return [
    `${outcomes.length} results are possible because some facts are missing.${between}`,
    '',
    ...outcomes.flatMap(({ when, duties }, index) => [
      `${styleText('bold', `${index + 1}.`)} ${duties.map(dutyLine).join('; ') || 'No Section 232 duty'}`,
      ...when.flatMap((set, at) => [...(at > 0 ? ['   or'] : []), ...assumptionLines(set)]),
      ...[...new Set(duties.map(duty => duty.citation))].map(citation),
      '',
    ]),
  ];
}

function dutyLine(duty: AssessedDuty): string {
  const heading = duty.heading ?? 'heading not yet published';
  if (duty.rate_pct === 0) return `${heading} (${programName(duty.program)}): no additional duty`;
  const amount = duty.amount === null ? '' : `: ${money(duty.amount)}`;
  return `${heading} (${programName(duty.program)}): ${rateOf(duty)} of the ${baseOf(duty)}${amount}`;
}

/**
 * Lists the assumptions behind a result. If a negative condition, such as "the article isn't a car," is false, rewrites
 * the condition as a positive statement.
 */
function assumptionLines(assumptions: readonly Assumption[]): string[] {
  const lines = assumptions.map(({ id, text, holds }) => {
    const isDoubleNegative = !holds && /^the (article|part|vehicle) isn't [^,]+$/.test(text);
    const statement = isDoubleNegative ? text.replace("isn't", 'is') : id === 'code' ? shortenCodes(text) : text;
    return `   ${holds || isDoubleNegative ? styleText('green', 'yes') : styleText('red', 'no ')}  ${statement}`;
  });
  return [...new Set(lines)];
}

/** Keeps the first codes in a list and replaces the rest with a count. */
function shortenCodes(text: string): string {
  const codes = text.split(', ');
  const others = codes.length - MAX_CODES;
  if (others <= 0) return text;
  return `${codes.slice(0, MAX_CODES).join(', ')}, or ${others === 1 ? '1 other' : `one of ${others} others`}`;
}

/**
 * Lists the missing facts: first the full HTS number, then the other facts that determine the result, and finally the
 * facts that affect only the amounts.
 */
function missingFacts(missing: readonly MissingFact[]): string[] {
  const code = missing.find(({ fact }) => fact === 'code');
  const facts = missing.filter(({ fact }) => fact !== 'code');
  return [
    ...(code ? [`Use the full HTS number as the <code> argument: ${shortenCodes(code.values.join(', '))}`, ''] : []),
    ...factTable(
      'These facts determine the result',
      facts.filter(({ decides }) => decides.length > 0),
    ),
    ...factTable(
      'These facts are needed for the remaining amounts',
      facts.filter(({ decides }) => decides.length === 0),
    ),
  ];
}

function factTable(intro: string, missing: readonly MissingFact[]): string[] {
  if (missing.length === 0) return [];
  const rows = missing.map(({ fact, values }) => [styleText('bold', fact), acceptedValues(fact, values)]);
  return [`${intro}. Specify each fact with --fact NAME=VALUE:`, '', table(['Name', 'Value'], [26], rows), ''];
}

function acceptedValues(fact: string, values: readonly string[]): string {
  if (/_in$/.test(fact)) return `country codes (ISO alpha-2), or unknown`;
  if (values.length > 0) return values.join(', ');
  if (/_pct\b/.test(fact)) return 'a percentage';
  if (/_value$/.test(fact)) return 'US dollars';
  return fact === 'model_year' ? 'a year' : 'a number';
}

function money(amount: number | null): string {
  if (amount === null) return 'unknown';
  return amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' });
}
