import type { Unit } from './extract/unit.ts';
import { checkGrammar } from './grammar/grammar.ts';
import { mask } from './mask.ts';
import type { Problem } from './problem.ts';
import { RULES } from './rules/index.ts';
import { countWords, sentencesOf } from './sentences.ts';
import { loadSpelling } from './spelling.ts';

/** Maximum sentence length in words, excluding code and placeholders. */
const MAX_WORDS = 40;

/**
 * Checks text units with the house rules, the sentence length limit, the spell checker, and, if `hasGrammar` is set, the
 * grammar checker.
 */
export async function check(units: readonly Unit[], hasGrammar: boolean): Promise<Problem[]> {
  const checkSpelling = await loadSpelling();
  const grammar = new Map<Unit, Problem[]>();
  for (const problem of hasGrammar ? await checkGrammar(units) : []) {
    const problems = grammar.get(problem.unit);
    if (problems) problems.push(problem);
    else grammar.set(problem.unit, [problem]);
  }
  return units.flatMap(unit =>
    [...checkRules(unit), ...checkLength(unit), ...checkSpelling(unit), ...(grammar.get(unit) ?? [])].sort(
      (a, b) => a.at - b.at,
    ),
  );
}

/** Returns the house rule violations in a text unit. */
export function checkRules(unit: Unit): Problem[] {
  const masked = mask(unit.text);
  return RULES.filter(({ kinds }) => kinds?.includes(unit.kind) ?? true).flatMap(
    ({ id, pattern, message, suggestion }) =>
      [...masked.matchAll(pattern)].map(match => ({
        unit,
        at: match.index,
        rule: id,
        message: `"${unit.text.slice(match.index, match.index + match[0].length)}": ${message} Use: ${suggestion}.`,
      })),
  );
}

/** Returns a problem for each overlong sentence in a text unit. */
export function checkLength(unit: Unit): Problem[] {
  return sentencesOf(unit.text)
    .map(({ text, at }) => ({ at, words: countWords(text) }))
    .filter(({ words }) => words > MAX_WORDS)
    .map(({ at, words }) => ({
      unit,
      at,
      rule: 'long-sentence',
      message: `The sentence has ${words} words. Use two sentences or a list.`,
    }));
}
