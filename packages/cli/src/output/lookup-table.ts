import { styleText } from 'node:util';
import { dutyWords, type Lookup, type LookupResult, type Match } from '@compliance/core/tariff';
import { printable, table } from './print.ts';

type Style = Parameters<typeof styleText>[0];

const STATUS: Record<LookupResult['status'], { word: string; style: Style }> = {
  hit: { word: 'hit', style: ['red', 'bold'] },
  in_scope: { word: 'in scope', style: ['yellow', 'bold'] },
  adjacent: { word: 'adjacent', style: 'cyan' },
  clear: { word: 'clear', style: 'green' },
  invalid: { word: 'invalid', style: 'magenta' },
};

/** The answers as a table for people: code, status, and what it means with its citation. */
export function lookupTable({ results, list }: Lookup): string {
  const rows = results.map(result => [
    printable(result.code, 40),
    styleText(STATUS[result.status].style, STATUS[result.status].word),
    explanation(result),
  ]);
  const origin = list.origin ? `, from ${list.origin}` : '';
  return [
    ...(rows.length > 0 ? [table(['Code', 'Status', 'Answer'], [16, 10], rows), ''] : []),
    `${summary(results)}. Lists of ${list.version} (${list.programs.join(', ')}), as of ${list.as_of}${origin}.`,
    ...(list.notice ? [styleText('yellow', list.notice)] : []),
    styleText('dim', 'No legal or customs advice.'),
  ].join('\n');
}

function explanation(result: LookupResult): string {
  const full = result.matches.filter(match => match.coverage === 'full');
  const deciding = full.length > 0 ? full : [...result.matches, ...result.adjacent_hits.slice(0, 1)];
  const citations = [...new Set(deciding.map(listing => listing.citation))];
  return [
    result.message,
    ...full.flatMap(otherOutcomes),
    ...full.flatMap(match => match.caveats.map(caveat => styleText('yellow', `Mind: ${caveat.text}`))),
    ...citations.map(citation => styleText('dim', citation)),
  ].join('\n');
}

/** The duties that a fact about the goods would bring; known only when the origin is. */
function otherOutcomes(match: Match): string[] {
  return match.outcomes.slice(1).map(outcome => {
    const facts = outcome.when.map(condition => condition.text).join(', and ');
    return `Or ${dutyWords(outcome)} (${outcome.headings.join(', ') || 'heading not known'}) if ${facts}.`;
  });
}

function summary(results: readonly LookupResult[]): string {
  const counts = Object.entries(STATUS).flatMap(([status, { word }]) => {
    const count = results.filter(result => result.status === status).length;
    return count > 0 ? [`${count} ${word}`] : [];
  });
  const codes = `${results.length} ${results.length === 1 ? 'code' : 'codes'}`;
  return counts.length > 0 ? `${codes}: ${counts.join(', ')}` : codes;
}
